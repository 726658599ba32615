import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chatBody } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { answerSlowly, answerWell } from '../support/recording-upstream.ts';
import type { CreatedKey, TestServer } from '../support/start-server.ts';
import { DONE } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { askForStream, openFaultyGateway, switchOff, switchOn } from './faulty-gateway.ts';

let gateway: ReturnType<typeof openFaultyGateway>;
let server: TestServer;
let key: CreatedKey;
let storeFull: string;
let spoolFull: string;

const clock = { TOLLGATE_TEST_CLOCK: '1' };

beforeEach(async () => {
  gateway = openFaultyGateway();
  storeFull = gateway.switchFile('store-full');
  spoolFull = gateway.switchFile('spool-full');
  server = await gateway.start({ fullWhile: storeFull, spoolFullWhile: spoolFull }, clock);
  key = await server.createKey('payg');
  await server.purchase(key.account, 5);
});
afterEach(() => gateway.close());

const ask = () => server.chat(key.key, 'test-small', { max_tokens: 100 });
const billed = async () => (await usageEntries(server, key.account)).map(({ receipt }) => receipt.outcome);
const purchased = async () => (await server.readAccount(key.account)).purchased_credits;
const isDrained = () => server.log().includes('spool-drained');

test('answers on a full disk are complete and get their entries when space is free', async () => {
  expect((await ask()).status).toBe(200);
  switchOn(storeFull);
  expect((await ask()).status).toBe(200);
  expect(await askForStream(server.url, key.key)).toContain(DONE);
  expect(await billed()).toEqual(['complete']);
  switchOff(storeFull);
  await waitFor(isDrained);
  expect(server.log()).toMatch(/"level":"error","event":"spooling","problem":"There is no space left/);
  expect(await billed()).toEqual(Array(3).fill('complete'));
  expect(await purchased()).toBe(2_500 - (3 * (7 * 500 + 3 * 2_000)) / 1e6);
  await gateway.expectSettledLedger(server);
});

test('a retry on a full disk makes an answer again that was not kept', async () => {
  const retrying = await server.createKey('payg', { account: key.account, retries: 'join', resumable: true });
  const send = (id: string, { stream = false } = {}) =>
    server.call('/v1/chat/completions', {
      headers: { authorization: `Bearer ${retrying.key}`, 'idempotency-key': id },
      body: chatBody('test-small', { max_tokens: 100, stream }),
    });
  const { answer, release } = answerSlowly();
  gateway.upstream.answer('hidden-test-small', answer);
  const begun = send('begun', { stream: true });
  await waitFor(() => gateway.upstream.models().includes('hidden-test-small'));
  switchOn(storeFull);
  release();
  expect((await begun).text).toContain(DONE);
  gateway.upstream.answer('hidden-test-small', answerWell);
  expect((await send('whole')).status).toBe(200);
  switchOff(storeFull);
  await waitFor(isDrained);
  for (const [id, stream] of [
    ['begun', true],
    ['whole', false],
  ] as const) {
    const again = await send(id, { stream });
    expect({ status: again.status, replayed: again.headers.get('idempotency-replayed') }).toEqual({
      status: 200,
      replayed: null,
    });
    expect((await send(id, { stream })).headers.get('idempotency-replayed')).toBe('true');
  }
  expect(await billed()).toEqual(Array(4).fill('complete'));
  await gateway.expectSettledLedger(server);
});

test('new requests are refused from 30 s of a full disk until space is free', async () => {
  switchOn(storeFull);
  expect((await ask()).status).toBe(200);
  await server.admin('POST', '/test/clock', { advance_s: 31 });
  const refused = await ask();
  expectRefusal(refused, 503, 'capacity_unavailable');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  switchOff(storeFull);
  await waitFor(async () => (await ask()).status === 200);
  await gateway.expectSettledLedger(server);
});

test('settlements in the spool are written exactly at the next start after a kill', async () => {
  switchOn(storeFull);
  gateway.upstream.answer('hidden-test-small', answerSlowly().answer);
  void askForStream(server.url, key.key);
  await waitFor(() => gateway.upstream.models().includes('hidden-test-small'));
  for (let count = 0; count < 3; count++)
    expect((await server.chat(key.key, 'test-messages', { max_tokens: 5 })).status).toBe(200);
  await gateway.kill(server);
  switchOff(storeFull);
  server = await gateway.start({}, clock);
  const entries = await usageEntries(server, key.account);
  const entry = { input_tokens: 7, receipt: { outcome: 'complete', estimated: false } };
  expect(entries).toMatchObject([entry, entry, entry]);
  await gateway.expectSettledLedger(server);
});

test('an answer that neither the store nor the spool can record fails without a charge', async () => {
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const stream = askForStream(server.url, key.key, { max_tokens: 100 });
  await waitFor(() => gateway.upstream.models().includes('hidden-test-small'));
  switchOn(storeFull);
  switchOn(spoolFull);
  slow.release();
  const text = await stream;
  expect(text).toContain('"capacity_unavailable"');
  expect(text).not.toContain(DONE);
  expectRefusal(await ask(), 503, 'capacity_unavailable');
  switchOff(storeFull);
  switchOff(spoolFull);
  await waitFor(isDrained);
  expect({ billed: await billed(), purchased: await purchased() }).toEqual({ billed: [], purchased: 2_500 });
  await gateway.expectSettledLedger(server);
});
