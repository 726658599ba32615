import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { batchClient, flavors, messagesFlavor } from '../support/batch-client.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import {
  answerStatus,
  answerWell,
  startRecordingUpstream,
  type UpstreamAnswer,
} from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { countRows, storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const sample = sampleConfig(upstream.url);
const narrow = { id: 'hidden-narrow', wire: 'openai-chat', base_url: upstream.url, max_concurrent: 1 };
const narrowRoute = [{ provider: narrow.id, model: 'hidden-test-narrow' }];
const server = await startServer({
  config: {
    ...sample,
    providers: [...sample.providers, narrow],
    catalog: {
      ...sample.catalog,
      models: [...sample.catalog.models, sampleModel('test-narrow', { routes: narrowRoute })],
    },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key, account } = await server.createKey('enterprise');
const SMALL = 'test-small';
const HOUR_S = 3_600;
const repeated = (count: number, model = SMALL) => Array.from({ length: count }, () => model);
const advance = async (advance_s: number) =>
  void (await server.admin('POST', '/test/clock', { advance_s })).status;

let release = () => {};
/** Requests wait from now on until `release` is called. */
function gated(): UpstreamAnswer {
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  return (request) => promise.then(() => answerWell(request));
}
afterEach(async () => {
  release();
  await waitFor(
    async () => (await server.admin('GET', '/batches?status=in_progress')).body.data.length === 0,
  );
  upstream.forget();
  for (const model of ['small', 'narrow']) upstream.answer(`hidden-test-${model}`, answerWell);
});

describe.each(flavors)('$name', (flavor) => {
  const client = batchClient(server, { flavor, key });
  const kinds = async (id: string) => {
    const kinds: Record<string, number> = {};
    for (const { type } of Object.values(await client.lines(id))) kinds[type] = (kinds[type] ?? 0) + 1;
    return kinds;
  };

  test('a cancel lets running items finish and cancels all others [BAT-09] [BAT-10] [BAT-11] [BAT-12] [BAT-65]', async () => {
    upstream.answer('hidden-test-narrow', gated());
    const batch = await client.create(repeated(20, 'test-narrow'));
    await waitFor(() => upstream.requests.length === 1);
    const canceled = (await client.cancel(batch.id)).body;
    expect(canceled.processing_status).toBe('canceling');
    expect(canceled.cancel_initiated_at).toBeString();
    release();
    const ended = await client.ended(batch.id);
    expect(ended).toMatchObject({
      cancel_initiated_at: canceled.cancel_initiated_at,
      request_counts: { processing: 0, succeeded: 1, errored: 0, canceled: 19, expired: 0 },
    });
    expect(await kinds(batch.id)).toEqual({ succeeded: 1, canceled: 19 });
    const gone = Object.values(await client.lines(batch.id)).filter(({ type }) => type === 'canceled');
    expect(gone[0]).toEqual({ type: 'canceled' });
    expect(upstream.requests).toHaveLength(1);
  });

  test('a second cancel changes nothing [BAT-64]', async () => {
    upstream.answer('hidden-test-small', gated());
    const batch = await client.create(repeated(3));
    await waitFor(() => upstream.requests.length === 3);
    const first = (await client.cancel(batch.id)).body;
    await Bun.sleep(2);
    const again = await client.cancel(batch.id);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first });
    release();
    const ended = await client.ended(batch.id);
    expect(ended.request_counts.succeeded).toBe(3);
    expect((await client.cancel(batch.id)).body).toEqual(ended);
  });

  test('retries an item with a temporary failure five times [BAT-47]', async () => {
    upstream.answer('hidden-test-small', answerStatus(503));
    const batch = await client.create([SMALL]);
    for (let view = batch; view.processing_status !== 'ended'; view = await client.view(batch.id)) {
      await Bun.sleep(20);
      await advance(61);
    }
    const ended = await client.ended(batch.id);
    const calls = upstream.models().filter((model) => model === 'hidden-test-small');
    expect({ errored: ended.request_counts.errored, callCount: calls.length }).toEqual({
      errored: 1,
      callCount: 6,
    });
    expect((await client.lines(batch.id))['item-0'].error.error.code).toBe('upstream_overloaded');
  });

  test('charges an item that fails at times once', async () => {
    let calls = 0;
    upstream.answer('hidden-test-small', (request) =>
      ++calls % 3 === 0 ? answerWell(request) : answerStatus(calls % 2 ? 500 : 429)(request),
    );
    const other = await server.createKey('enterprise');
    const own = batchClient(server, { flavor, key: other.key });
    const batch = await own.create([SMALL]);
    await waitFor(async () => {
      await Bun.sleep(20); // between two steps of the clock, the batch goes on
      await advance(61);
      return (await own.view(batch.id)).processing_status === 'ended';
    });
    expect({ succeeded: (await own.view(batch.id)).request_counts.succeeded, calls }).toEqual({
      succeeded: 1,
      calls: 3,
    });
    expect((await server.admin('GET', `/accounts/${other.account}/ledger`)).body.data).toHaveLength(1);
  });

  test('expires items that did not run an hour before the end, and keeps their results readable [BAT-48]', async () => {
    upstream.answer('hidden-test-narrow', gated());
    const batch = await client.create(repeated(5, 'test-narrow'));
    await waitFor(() => upstream.requests.length === 1);
    await advance(23 * HOUR_S - 60);
    expect((await client.view(batch.id)).processing_status).toBe('in_progress');
    await advance(120);
    const ended = await client.ended(batch.id);
    expect(ended.request_counts).toEqual({
      processing: 0,
      succeeded: 0,
      errored: 0,
      canceled: 0,
      expired: 5,
    });
    expect(await kinds(batch.id)).toEqual({ expired: 5 });
    expect(upstream.requests[0]!.aborted()).toBe(true);
  });

  test('keeps a batch for 24 hours, reports it as expired for 7 days, and then as unknown [BAT-21] [BAT-22] [BAT-23] [BAT-62]', async () => {
    const batch = await client.create(repeated(3));
    await client.ended(batch.id);
    const states = async () => {
      const answers: Answer[] = [await client.get(`/${batch.id}`), await client.results(batch.id)];
      return answers.map(({ status, body }) => [status, body?.error?.code]);
    };
    const whole = await client.results(batch.id);
    await advance(24 * HOUR_S - 60);
    expect((await client.results(batch.id)).text).toBe(whole.text);
    await advance(120);
    const missing = [404, 'not_found'];
    expect(await states()).toEqual([missing, [410, 'endpoint_retired']]);
    expect((await client.list()).body.data).toEqual([]);
    expect((await client.cancel(batch.id)).status).toBe(404);
    await advance(6 * 24 * HOUR_S);
    expect(await states()).toEqual([missing, [410, 'endpoint_retired']]);
    await advance(24 * HOUR_S);
    expect(await states()).toEqual([missing, missing]);
  });
});

const client = batchClient(server, { flavor: messagesFlavor, key });

/** The size of the data in pages of 4 KB. Postgres frees the pages of removed rows later. */
const usedPages = {
  sqlite: 'SELECT page_count - freelist_count AS pages FROM pragma_page_count(), pragma_freelist_count()',
  postgres: `SELECT sum(size) / 4096 AS pages FROM (
    SELECT pg_column_size(batch_item.*) AS size FROM batch_item
    UNION ALL SELECT octet_length(batch_request::text) FROM batch_request
    UNION ALL SELECT octet_length(batch_result::text) FROM batch_result
    UNION ALL SELECT 0) AS rows`,
};

test("removes an item's request when the item ends, and the rest of a batch when it expires [BAT-24] [LIM-45]", async () => {
  const rows = (table: string) => countRows(server.dataDirectory, table);
  const used = async () => Number((await storeRows<Json>(server.dataDirectory, usedPages))[0]!.pages);
  await advance(30 * 24 * HOUR_S);
  await waitFor(async () => (await rows('batch')) === 0 && (await rows('batch_item')) === 0);
  const before = await used();
  const batch = await client.create(repeated(200), {
    fields: { requests: client.items(repeated(200), { user: 'x'.repeat(20_000) }) },
  });
  expect(await used()).toBeGreaterThan(before + 900); // 4 MB came
  await client.ended(batch.id);
  expect(await rows('batch_request')).toBe(0);
  expect(await rows('batch_result')).toBe(200);
  expect((await used()) - before).toBeLessThan(200);
  await advance(25 * HOUR_S);
  for (const table of ['batch_item', 'batch_request', 'batch_result'])
    await waitFor(async () => (await rows(table)) === 0);
  expect(await rows('batch')).toBe(1);
  // The records of the requests are kept.
  await waitFor(async () => (await used()) - before < 80);
});

test('deletes a batch only once it has ended [BAT-69]', async () => {
  upstream.answer('hidden-test-small', gated());
  const batch = await client.create([SMALL]);
  const early = await client.delete(batch.id);
  expect(early).toMatchObject({ status: 409, body: { error: { code: 'batch_not_ended' } } });
  release();
  await client.ended(batch.id);
  const deleted = await client.delete(batch.id);
  expect({ status: deleted.status, body: deleted.body }).toEqual({
    status: 200,
    body: { id: batch.id, type: 'message_batch_deleted' },
  });
  for (const answer of [
    await client.get(`/${batch.id}`),
    await client.results(batch.id),
    await client.delete(batch.id),
  ])
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect((await client.list()).body.data.map(({ id }: Json) => id)).not.toContain(batch.id);
});

test('serves live requests before items of batches and flex items last [BAT-59]', async () => {
  const order: string[] = [];
  const gates: (() => void)[] = [];
  upstream.answer('hidden-test-narrow', async (request) => {
    order.push(request.body.messages.at(-1).content);
    await new Promise<void>((resolve) => gates.push(resolve));
    return answerWell(request);
  });
  const says = (content: string) => ({
    fields: { requests: client.items(['test-narrow'], { messages: [{ role: 'user', content }] }) },
  });
  const live = (content: string) =>
    server.call('/v1/chat/completions', {
      headers: bearer(key),
      body: chatBody('test-narrow', { messages: [{ role: 'user', content }] }),
    });
  const running = [live('first')];
  await waitFor(() => order.length === 1);
  const flex = says('flex');
  const ids = [
    (await client.create([], { fields: { ...flex.fields, processing_mode: 'flex' } })).id,
    (await client.create([], says('standard'))).id,
  ];
  const metric = async (planClass: string) =>
    (await server.call('/metrics')).text.includes(`tollgate_queue_length{class="${planClass}"} 1`);
  await waitFor(async () => (await metric('flex')) && (await metric('batch')));
  running.push(live('second'), live('third'));
  await waitFor(async () =>
    (await server.call('/metrics')).text.includes('tollgate_queue_length{class="paid"} 2'),
  );
  for (let served = 0; served < 5; served++) {
    await waitFor(() => gates.length > served);
    gates[served]!();
  }
  await Promise.all(running);
  for (const id of ids) await client.ended(id);
  expect(order).toEqual(['first', 'second', 'third', 'standard', 'flex']);
});

test('runs no more items of a key that was revoked', async () => {
  upstream.answer('hidden-test-narrow', gated());
  const other = await server.createKey('enterprise', { account });
  const others = batchClient(server, { flavor: messagesFlavor, key: other.key });
  await others.create(repeated(200, 'test-narrow'));
  await waitFor(() => upstream.requests.length === 1);
  await server.admin('DELETE', `/keys/${other.id}`);
  const later = await client.create(repeated(1, 'test-narrow'));
  release();
  await client.ended(later.id);
  expect(upstream.requests.length).toBeWithin(2, 66); // those that were under way, and one
});

test('shows progress, speed and retries in the admin API, and a bar on the command line', async () => {
  upstream.answer('hidden-test-small', answerStatus(503));
  const other = await server.createKey('enterprise', { account });
  const own = batchClient(server, { flavor: messagesFlavor, key: other.key });
  const batch = await own.create([SMALL, 'no-such-model']);
  const inspect = async () => (await server.admin('GET', `/batches/${batch.id}`)).body;
  await waitFor(
    async () => (await inspect()).retries === 1 && (await inspect()).request_counts.errored === 1,
  );
  const inspected = await inspect();
  expect(inspected).toMatchObject({
    id: batch.id,
    collection: 'messages',
    account_id: account,
    key_id: other.id,
    processing_mode: 'standard',
    processing_status: 'in_progress',
    size: 2,
    retries: 1,
    ended_at: null,
    request_counts: { processing: 1, errored: 1 },
  });
  expect(inspected.items_per_minute).toBeGreaterThan(0);
  expect(Date.parse(inspected.estimated_end_at)).toBeGreaterThan(0);
  const running = async () =>
    (await server.admin('GET', '/batches?status=in_progress')).body.data.map(({ id }: Json) => id);
  expect(await running()).toContain(batch.id);
  const shown = await runProgram(['batch', 'show', batch.id, '--data', server.dataDirectory]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/█{15}░{15} 50 % {2}1 of 2, about/) });
  await own.cancel(batch.id);
  await own.ended(batch.id);
  await waitFor(async () => !(await running()).includes(batch.id));
  expect((await inspect()).processing_status).toBe('ended');
  const listed = async (query = '') =>
    (await server.admin('GET', `/batches${query}`)).body.data.map(({ id }: Json) => id);
  expect(await listed('?limit=1')).toEqual([batch.id]);
  expect(await listed('?status=ended')).toContain(batch.id);
  expect(await listed(`?after=${batch.id}`)).not.toContain(batch.id);
  expect((await server.admin('GET', '/batches?status=done')).status).toBe(400);
  expect((await server.admin('GET', '/batches/batch_no')).status).toBe(404);
  expect((await server.admin('GET', '/batches?after=batch_no')).status).toBe(400);
});
