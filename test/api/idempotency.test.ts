import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { batchClient, chatFlavor, flavors, messagesFlavor } from '../support/batch-client.ts';
import type { Answer, Json } from '../support/call.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: sampleConfig(upstream.url),
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
/** The batches of a test may still be running. */
afterEach(async () => {
  await waitFor(
    async () => (await server.admin('GET', '/batches?status=in_progress')).body.data.length === 0,
  );
  upstream.forget();
});

const SMALL = 'test-small';
const named = (key: string) => ({ 'idempotency-key': key });
const outcome = ({ status, body, headers }: Answer) => [
  status,
  body.error?.code ?? 'made',
  headers.get('idempotency-replayed'),
];
const made = [200, 'made', null];
const replayed = [200, 'made', 'true'];
const conflict = [409, 'idempotency_conflict', null];
const running = [409, 'batch_creation_in_progress', null];
const invalid = [400, 'invalid_request', null];

async function newClient(flavor = messagesFlavor) {
  const created = await server.createKey('enterprise');
  return { ...created, client: batchClient(server, { flavor, key: created.key }) };
}
const countOf = async ({ list }: { list: (query: string) => Promise<Answer> }): Promise<number> =>
  (await list('?limit=100')).body.data.length;

describe.each(flavors)('$name', (flavor) => {
  test('returns the first answer, byte for byte, for the same key and body [IDM-01] [IDM-02] [IDM-03]', async () => {
    const { client, account } = await newClient(flavor);
    const body = { requests: client.items([SMALL, SMALL]) };
    const first = await client.post(body, named('k'));
    expect(outcome(first)).toEqual(made);
    await client.ended(first.body.id);
    for (let count = 0; count < 3; count++) {
      const again = await client.post(body, named('k'));
      expect(outcome(again)).toEqual(replayed);
      expect(again.text).toEqual(first.text);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }
    expect({ count: await countOf(client), requestCount: upstream.requests.length }).toEqual({
      count: 1,
      requestCount: 2,
    });
    const ledger = await server.admin('GET', `/accounts/${account}/ledger`);
    expect(ledger.body.data).toHaveLength(2);
  });

  test('refuses the same key with another body without creating a batch [IDM-04]', async () => {
    const { client } = await newClient(flavor);
    const body = (user: string) => ({ requests: client.items([SMALL], { user }) });
    expect(outcome(await client.post(body('a'), named('k')))).toEqual(made);
    expect(outcome(await client.post(body('b'), named('k')))).toEqual(conflict);
    expect(outcome(await client.post({}, named('k')))).toEqual(conflict);
    expect(await countOf(client)).toBe(1);
  });

  test('creates one batch for fifty simultaneous requests, and answers the others with 409 or the same batch [IDM-05] [IDM-06] [IDM-07]', async () => {
    const { client } = await newClient(flavor);
    const user = 'x'.repeat(8_000);
    const body = JSON.stringify({ requests: client.items(new Array(100).fill(SMALL), { user }) });
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.post(body, named('race'))));
    const outcomes = answers.map((answer) => JSON.stringify(outcome(answer)));
    const count = (wanted: unknown) => outcomes.filter((one) => one === JSON.stringify(wanted)).length;
    expect(count(made)).toBe(1);
    expect(count(made) + count(replayed) + count(running)).toBe(50);
    const ids = answers.flatMap(({ status, body }) => (status === 200 ? [body.id] : []));
    const later = await client.post(body, named('race'));
    expect(outcome(later)).toEqual(replayed);
    expect([...new Set(ids)]).toEqual([later.body.id]);
    expect(await countOf(client)).toBe(1);
    await client.ended(later.body.id); // its items must not be taken for the next test's
  });
});

test('compares bodies as JSON values, regardless of their spelling [IDM-08]', async () => {
  const { client } = await newClient();
  const first = await client.post(
    '{"requests":[{"custom_id":"a","params":{"model":"x","n":1}}],"lane":"flex"}',
    named('k'),
  );
  const other = `{ "lane": "fl\\u0065x",
    "requests": [ {"params": {"n": 1.0, "model": "x"}, "custom_id": "a"} ] }`;
  const again = await client.post(other, named('k'));
  expect(outcome(first)).toEqual(made);
  expect(outcome(again)).toEqual(replayed);
  expect(again.text).toEqual(first.text);
  const reordered = '{"requests":[{"custom_id":"a","params":{"model":"x","n":[1]}}],"lane":"flex"}';
  expect(outcome(await client.post(reordered, named('k')))).toEqual(conflict);
});

test('accepts keys of 1 to 200 characters [IDM-09] [IDM-10] [IDM-11]', async () => {
  const { client } = await newClient();
  const body = { requests: client.items([SMALL]) };
  const long = 'k'.repeat(200);
  expect(outcome(await client.post(body, named(long)))).toEqual(made);
  expect(outcome(await client.post(body, named(long)))).toEqual(replayed);
  expect(outcome(await client.post(body, named(`${long}k`)))).toEqual(invalid);
  expect(outcome(await client.post(body, named('')))).toEqual(invalid);
  expect(await countOf(client)).toBe(1);
});

test('creates a batch for each request without a key', async () => {
  const { client } = await newClient();
  const body = { requests: client.items([SMALL]) };
  for (let count = 0; count < 2; count++) expect(outcome(await client.post(body))).toEqual(made);
  expect(await countOf(client)).toBe(2);
});

test('shares keys between the API keys of one account, within one collection [IDM-13] [IDM-14] [IDM-15]', async () => {
  const owner = await newClient();
  const sibling = await server.createKey('enterprise', { account: owner.account });
  const siblings = batchClient(server, { flavor: messagesFlavor, key: sibling.key });
  const chat = batchClient(server, { flavor: chatFlavor, key: owner.key });
  const stranger = await newClient();
  const body = { requests: owner.client.items([SMALL]) };
  const first = await owner.client.post(body, named('k'));
  const again = await siblings.post(body, named('k'));
  expect(outcome(first)).toEqual(made);
  expect(outcome(again)).toEqual(replayed);
  expect(again.text).toEqual(first.text);
  expect((await siblings.get(`/${first.body.id}`)).status).toBe(404);
  expect(outcome(await siblings.post({ ...body, lane: 'flex' }, named('k')))).toEqual(conflict);
  expect(outcome(await chat.post({ requests: chat.items([SMALL]) }, named('k')))).toEqual(made);
  const others = await stranger.client.post(body, named('k'));
  expect(outcome(others)).toEqual(made);
  expect(others.body.id).not.toBe(first.body.id);
});

test('does not remember a failed creation [IDM-16]', async () => {
  const { client, account } = await newClient();
  const body = { requests: client.items([SMALL]) };
  const expectFailed = async (wrong: Json, headers: Record<string, string>, status: number) => {
    expect((await client.post(wrong, { ...headers, ...named('k') })).status).toBe(status);
  };
  await expectFailed({ requests: [] }, {}, 400);
  await expectFailed('{', {}, 400);
  await expectFailed(body, { 'x-svc-payment-mode': 'payg' }, 400);
  await expectFailed({ ...body, lane: 'native-required' }, {}, 422);
  await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { credits: 0 } });
  await expectFailed(body, {}, 402);
  await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { credits: 1_000 } });
  expect(outcome(await client.post(body, named('k')))).toEqual(made);
  expect(outcome(await client.post(body, named('k')))).toEqual(replayed);
});

test('repeats an answer regardless of later changes to the credits', async () => {
  const { client, account } = await newClient();
  const body = { requests: client.items([SMALL]) };
  const first = await client.post(body, named('k'));
  await client.ended(first.body.id);
  await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { credits: 0 } });
  expect(outcome(await client.post(body, named('k')))).toEqual(replayed);
});

test('ignores the key on chat endpoints: each request runs and is billed [IDM-17]', async () => {
  const { key, account } = await server.createKey('enterprise');
  const body = messagesFlavor.params(SMALL);
  for (let count = 0; count < 2; count++) {
    const answer = await server.call('/v1/messages', { headers: { 'x-api-key': key, ...named('k') }, body });
    expect({
      status: answer.status,
      idempotencyReplayed: answer.headers.get('idempotency-replayed'),
    }).toEqual({ status: 200, idempotencyReplayed: null });
  }
  expect(upstream.requests).toHaveLength(2);
  expect((await server.admin('GET', `/accounts/${account}/ledger`)).body.data).toHaveLength(2);
});

test('remembers a key for a day [IDM-12]', async () => {
  upstream.answer('hidden-test-small', answerStatus(400));
  const { client } = await newClient();
  const body = { requests: client.items([SMALL]) };
  const first = await client.post(body, named('k'));
  const hour = 3_600;
  const advance = (advance_s: number) => server.admin('POST', '/test/clock', { advance_s });
  await advance(24 * hour - 60);
  const late = await client.post(body, named('k'));
  expect(outcome(late)).toEqual(replayed);
  expect(late.text).toEqual(first.text);
  await advance(120);
  const next = await client.post(body, named('k'));
  expect(outcome(next)).toEqual(made);
  expect(next.body.id).not.toBe(first.body.id);
});
