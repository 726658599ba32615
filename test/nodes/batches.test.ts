import { afterAll, describe, expect, test } from 'bun:test';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { batchClient, chatFlavor, messagesFlavor } from '../support/batch-client.ts';
import { bearer, type Json } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { expectOk } from '../support/expect-ok.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import type { TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const MODEL = 'test-small';
const upstream = startRecordingUpstream();
afterAll(() => upstream.stop());
const { nodes, first, spread, each, advance } = await startNodes(3, {
  ...sampleConfig(upstream.url),
  plans: wideLimits,
  limits: { batch_concurrent: 4 },
});
const live = (): TestServer[] => nodes.filter((node) => !node.hasEnded());
const usageOf = (account: string): Promise<Json[]> => usageEntries(live()[0]!, account);

describe('stored responses', () => {
  test('are read, continued and deleted on other nodes right after the answer', async () => {
    const { key } = await first.createKey('pro');
    const headers = bearer(key);
    let previous: string | undefined;
    for (let turn = 0; turn < 9; turn++) {
      const writer = nodes[turn % 3]!;
      const reader = nodes[(turn + 1) % 3]!;
      const made = await writer.call('/v1/responses', {
        headers,
        body: { model: MODEL, input: `turn ${turn}`, ...(previous && { previous_response_id: previous }) },
      });
      expectOk(made);
      const read = await reader.call(`/v1/responses/${made.body.id}`, { headers });
      expect({ status: read.status, id: read.body.id, output: read.body.output }).toEqual({
        status: 200,
        id: made.body.id,
        output: made.body.output,
      });
      previous = made.body.id;
    }
    expect(upstream.requests.at(-1)!.body.messages).toHaveLength(17);
    const path = `/v1/responses/${previous}`;
    expect((await nodes[1]!.call(path, { method: 'DELETE', headers })).status).toBe(200);
    expect(countStatuses(await each((node) => node.call(path, { headers })))).toEqual({ 404: 3 });
  });
});

describe('idempotency', () => {
  test('fifty creations with one key over three nodes make one batch', async () => {
    const { key, account } = await first.createKey('pro');
    const clients = nodes.map((node) => batchClient(node, { flavor: chatFlavor, key }));
    const body = { requests: clients[0]!.items([MODEL, MODEL]) };
    const named = { 'idempotency-key': 'once' };
    const answers = await spread(50, (_, index) => clients[index % 3]!.post(body, named));
    for (const { status, body: answer } of answers)
      expect(status === 200 || answer.error.code === 'batch_creation_in_progress').toBe(true);
    const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body: batch }) => batch.id));
    expect(ids.size).toBe(1);
    const again = await spread(6, (_, index) => clients[index % 3]!.post(body, named));
    expect(new Set(again.map(({ body: batch }) => batch.id))).toEqual(ids);
    for (const client of clients) {
      const { data } = (await client.list('?limit=100')).body;
      expect(data).toHaveLength(1);
      await client.ended(data[0].id);
    }
    expect(await usageOf(account)).toHaveLength(2);
  });
});

describe('a batch', () => {
  test('is cancelled, read and deleted on any node', async () => {
    const { key } = await first.createKey('pro');
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer('hidden-test-small', (request) => promise.then(() => answerWell(request)));
    const clients = nodes.map((node) => batchClient(node, { flavor: messagesFlavor, key }));
    const { id } = await clients[0]!.create(Array(40).fill(MODEL));
    expect((await clients[1]!.cancel(id)).status).toBe(200);
    resolve();
    upstream.answer('hidden-test-small', answerWell);
    const ended = await clients[2]!.ended(id);
    expect(Object.values(ended.request_counts as Record<string, number>).reduce((a, b) => a + b)).toBe(40);
    expect(ended.request_counts.canceled).toBeGreaterThan(20);
    const results = await Promise.all(clients.map((client) => client.results(id)));
    expect(new Set(results.map(({ text }) => text)).size).toBe(1);
    expect((await clients[1]!.delete(id)).status).toBe(200);
    for (const client of clients) expect((await client.get(`/${id}`)).status).toBe(404);
  });

  test('gives each item one result and one charge while the test clock jumps', async () => {
    const { key, account } = await first.createKey('pro');
    upstream.forget();
    upstream.answer('hidden-test-small', async (request) => {
      await Bun.sleep(30);
      return answerWell(request);
    });
    const client = batchClient(first, { flavor: chatFlavor, key });
    const { id } = await client.create(Array(60).fill(MODEL));
    for (let jump = 0; jump < 6; jump++) {
      await advance(600, nodes[jump % 3]);
      await Bun.sleep(20);
    }
    await client.ended(id);
    upstream.answer('hidden-test-small', answerWell);
    expect((await client.view(id)).request_counts.succeeded).toBe(60);
    expect(await usageOf(account)).toHaveLength(60);
    // A lease that is taken during a jump has ended already, so another node can repeat the call.
    expect(upstream.requests.length).toBeGreaterThanOrEqual(60);
  });

  test('of two hundred items is worked on by all nodes and survives two kills: one result and at most one charge each', async () => {
    const { key, account } = await first.createKey('pro');
    upstream.forget();
    const usage = answerWithUsage(100, 10);
    let underWay = 0;
    upstream.answer('hidden-test-small', async (request) => {
      underWay++;
      await Bun.sleep(40);
      underWay--;
      return usage(request);
    });
    const client = () => batchClient(live()[0]!, { flavor: chatFlavor, key });
    const { id } = await client().create(Array(200).fill(MODEL));
    const done = (count: number) => waitFor(() => upstream.requests.length >= count, 30_000);
    // A node works on four items at a time.
    await waitFor(() => underWay > 8, 30_000);
    await done(40);
    const open = (await first.admin('GET', '/nodes')).body.data;
    expect(open.filter(({ closed }: Json) => !closed)).toHaveLength(3);
    nodes[1]!.signal('SIGKILL');
    await nodes[1]!.exited;
    await done(90);
    nodes[2]!.signal('SIGKILL');
    await nodes[2]!.exited;
    const ended = await client().ended(id, 40_000);
    expect(ended.request_counts.succeeded).toBe(200);
    const lines = await client().lines(id);
    expect(Object.keys(lines)).toHaveLength(200);
    const entries = await usageOf(account);
    expect(entries.length).toBeWithin(192, 201);
    expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(entries.length);
    expect(await first.ledgerFaults()).toEqual([]);
  });
});
