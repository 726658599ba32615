import { afterEach, beforeEach, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { fullTest } from '../support/full-test.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { openResponsesSocket } from '../support/open-responses-socket.ts';
import { answerSlowly, streamed } from '../support/recording-upstream.ts';
import type { TestServer } from '../support/start-server.ts';
import { DONE, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { askForStream, openFaultyGateway, openStream, restOf } from './faulty-gateway.ts';

let gateway: ReturnType<typeof openFaultyGateway>;
beforeEach(() => {
  gateway = openFaultyGateway();
});
afterEach(() => gateway.close());

/** Opens a stream whose partial output is in the store. */
async function lastingStream(of: TestServer, key: string): Promise<void> {
  gateway.upstream.answer('hidden-test-small', answerSlowly().answer);
  void askForStream(of.url, key);
  await waitFor(() => gateway.produced().some((tokens) => tokens > 0));
}

test('a kill between settlement and last byte bills the request and its retry once each', async () => {
  const server = await gateway.start({ crash: { point: 'after-settlement', passes: 1 } });
  const key = await server.createKey('pro');
  expect(await askForStream(server.url, key.key)).not.toContain(DONE);
  await server.exited;
  const restarted = await gateway.start();
  const reported = async (of: TestServer) =>
    (await usageEntries(of, key.account)).map(({ receipt }) => [receipt.outcome, receipt.delivered]);
  expect(await reported(restarted)).toEqual([['complete', 'unknown']]);
  expect(await askForStream(restarted.url, key.key)).toContain(DONE);
  await restarted.stop();
  const last = await gateway.start();
  expect(await reported(last)).toEqual([
    ['complete', 'yes'],
    ['complete', 'unknown'],
  ]);
  await gateway.expectSettledLedger(last);
});

test('a kill before settlement bills only what the store has, even if all but the last byte is sent', async () => {
  const server = await gateway.start({ crash: { point: 'before-settlement', passes: 1 } });
  const key = await server.createKey('pro');
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const reader = (await openStream(server.url, key.key)).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('one ');
  slow.release();
  expect(await restOf(reader)).not.toContain(DONE);
  await server.exited;
  const restarted = await gateway.start();
  expect(await usageEntries(restarted, key.account)).toEqual([]);
  await gateway.expectSettledLedger(restarted);
});

test('a kill during a long answer bills the output so far as an estimate [CRD-46]', async () => {
  const server = await gateway.start();
  const key = await server.createKey('payg');
  await server.purchase(key.account, 5);
  await lastingStream(server, key.key);
  await gateway.kill(server);
  const restarted = await gateway.start();
  const [entry, ...others] = await usageEntries(restarted, key.account);
  expect({ outcome: entry.receipt.outcome, estimated: entry.receipt.estimated, others }).toEqual({
    outcome: 'recovered',
    estimated: true,
    others: [],
  });
  expect(entry.input_tokens).toBeGreaterThan(0);
  expect(entry.output_tokens).toBeWithin(1, 3);
  expect((await restarted.readAccount(key.account)).purchased_credits).toBe(2_500 - entry.microcredits / 1e6);
  const { body: receipt } = await restarted.call(`/v1/usage/${entry.request_id}`, {
    headers: bearer(key.key),
  });
  expect(receipt).toMatchObject({ outcome: 'recovered', delivered: 'no', endpoint: '/v1/chat/completions' });
  expect(Date.parse(receipt.ended_at)).toBeGreaterThanOrEqual(Date.parse(receipt.started_at));
  await gateway.expectSettledLedger(restarted);
});

test('a kill during a turn over a WebSocket bills its output so far and keeps the finished turn', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  const socket = await openResponsesSocket(server.url, key.key);
  const fields = { model: 'test-small', input: 'hello' };
  expect((await socket.turn(fields)).at(-1)).toMatchObject({ type: 'response.completed' });
  const first = socket.events.length;
  gateway.upstream.answer('hidden-test-small', answerSlowly().answer);
  socket.begin(fields);
  await socket.next(({ type }) => type === 'response.output_text.delta', first);
  await waitFor(() => gateway.produced().some((tokens) => tokens > 0));
  await gateway.kill(server);
  await waitFor(() => socket.closed() !== undefined);
  // 1006: the connection ended without a closing frame.
  expect({ closed: socket.closed(), types: socket.events.slice(first).map(({ type }) => type) }).toEqual({
    closed: 1006,
    types: expect.not.arrayContaining(['response.completed', 'response.failed']),
  });
  const restarted = await gateway.start();
  const entries = await usageEntries(restarted, key.account);
  const facts = entries.map(({ receipt }) => [receipt.outcome, receipt.estimated, receipt.endpoint]);
  expect(facts).toEqual([
    ['recovered', true, '/v1/responses'],
    ['complete', false, '/v1/responses'],
  ]);
  expect(entries[0]!.output_tokens).toBeWithin(1, 3);
  await gateway.expectSettledLedger(restarted);
});

test('a kill during several answers in one stream bills the output of each so far', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  const message = { id: 'x', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null };
  const beginning =
    typedEvent('message_start', { message: { ...message, usage: { input_tokens: 100, output_tokens: 1 } } }) +
    typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word '.repeat(50) } });
  gateway.upstream.answer('hidden-test-messages', () =>
    streamed(
      new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)) }),
    ),
  );
  void askForStream(server.url, key.key, { model: 'test-messages', n: 3 });
  await waitFor(() => gateway.produced().some((tokens) => tokens >= 140));
  await gateway.kill(server);
  const restarted = await gateway.start();
  const [entry, ...others] = await usageEntries(restarted, key.account);
  expect({ outcome: entry.receipt.outcome, estimated: entry.receipt.estimated, others }).toEqual({
    outcome: 'recovered',
    estimated: true,
    others: [],
  });
  expect(entry.input_tokens).toBe(300);
  expect(entry.output_tokens).toBeWithin(140, 161);
  await gateway.expectSettledLedger(restarted);
});

test('a kill while a request waits for its first byte bills nothing', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  gateway.upstream.answer('hidden-test-small', () => new Promise(() => {}));
  void openStream(server.url, key.key).catch(() => {});
  await waitFor(() => gateway.holds() > 0);
  await gateway.kill(server);
  const restarted = await gateway.start();
  expect(await usageEntries(restarted, key.account)).toEqual([]);
  await gateway.expectSettledLedger(restarted);
});

fullTest('each hold is settled once despite three kills during recovery', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  gateway.upstream.answer('hidden-test-small', answerSlowly().answer);
  for (let count = 0; count < 5; count++) void askForStream(server.url, key.key);
  await waitFor(() => gateway.produced().filter((tokens) => tokens > 0).length === 5);
  await gateway.kill(server);
  for (const crash of [
    { point: 'in-recovery', passes: 1 },
    { point: 'in-recovery', passes: 3 },
    { point: 'after-recovery', passes: 1 },
  ] as const) {
    const start = await gateway.start({ crash }).catch((error: Error) => error);
    expect(start).toBeInstanceOf(Error);
  }
  const restarted = await gateway.start();
  const entries = await usageEntries(restarted, key.account);
  expect(entries.map(({ receipt }) => receipt.outcome)).toEqual(Array(5).fill('recovered'));
  await gateway.expectSettledLedger(restarted);
});

fullTest('an abort by the runtime bills complete answers and the output of the open one', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  for (let count = 0; count < 3; count++) expect(await askForStream(server.url, key.key)).toContain(DONE);
  await lastingStream(server, key.key);
  await gateway.kill(server, 'SIGABRT'); // the signal of a runtime without memory
  const restarted = await gateway.start();
  const outcomes = (await usageEntries(restarted, key.account)).map(({ receipt }) => receipt.outcome);
  expect(outcomes).toEqual(['recovered', 'complete', 'complete', 'complete']);
  await gateway.expectSettledLedger(restarted);
});

fullTest('a rotation and a new admin token survive a kill right after their answers', async () => {
  const server = await gateway.start();
  const { id, key } = await server.createKey('pro');
  const rotated = await server.admin('POST', `/keys/${id}/rotate`, { overlap_s: 3_600 });
  const created = await server.admin('POST', '/tokens', { name: 'ci', role: 'read_only' });
  await gateway.kill(server);
  const restarted = await gateway.start();
  for (const secret of [key, rotated.body.key])
    expect((await restarted.call('/v1/usage', { headers: bearer(secret) })).status).toBe(200);
  const read = await restarted.call('/admin/v1/accounts', { headers: bearer(created.body.token) });
  expect(read.status).toBe(200);
  const { body: audit } = await restarted.admin('GET', '/audit?limit=2');
  expect(audit.data.map(({ action }: { action: string }) => action)).toEqual(['token-create', 'key-rotate']);
});
