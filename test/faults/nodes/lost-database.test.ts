import { afterAll, beforeEach, expect, test } from 'bun:test';
import { bearer } from '../../support/call.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { usageEntries } from '../../support/ledger-entries.ts';
import { messagesBody } from '../../support/messages-body.ts';
import { answerSlowly, answerWell } from '../../support/recording-upstream.ts';
import type { CreatedKey } from '../../support/start-server.ts';
import { DONE } from '../../support/stream-events.ts';
import { waitFor } from '../../support/wait-for.ts';
import { askForStream } from '../faulty-gateway.ts';
import { type GatewayNode, openGatewayNodes } from './gateway-nodes.ts';

/** A refusal comes within this time. */
const REFUSED_MS = 4_500;
const UNREADY_MS = 5_000;
const HEALED_MS = 5_000;

const gateway = await openGatewayNodes();
afterAll(gateway.close);
const node = await gateway.start('node');
const refusing = await gateway.start('refusing', { settings: { store: { spool: 'refuse' } } });
let key: CreatedKey;

beforeEach(async () => {
  gateway.upstream.answer('hidden-test-small', answerWell);
  gateway.upstream.forget();
  key = await node.server.createKey('payg');
  await node.server.purchase(key.account, 5);
});

const ask = (of = node) => of.server.chat(key.key, 'test-small', { max_tokens: 100 });
const askMessages = () =>
  node.server.call('/v1/messages', { headers: bearer(key.key), body: messagesBody('test-small') });
const readiness = async (of = node) => (await of.server.call('/readyz')).status;
const outcomes = async () =>
  (await usageEntries(node.server, key.account)).map(({ receipt }) => receipt.outcome);

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const from = performance.now();
  return [await work, performance.now() - from];
}

/** Opens a stream that waits for its end, with a hold that the database has. */
async function openSlowStream(of: GatewayNode) {
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const before = await gateway.produced();
  const text = askForStream(of.server.url, key.key, { max_tokens: 100 });
  await waitFor(async () => (await gateway.produced()) > before);
  gateway.upstream.answer('hidden-test-small', answerWell);
  return { text, release: slow.release };
}

async function expectRefusedInTime(): Promise<void> {
  const [[refused, refusedMs], [messages, messagesMs]] = await Promise.all([
    timed(ask()),
    timed(askMessages()),
  ]);
  expectRefusal(refused, 503, 'capacity_unavailable');
  expect({ status: messages.status, type: messages.body.error.type }).toEqual({
    status: 529,
    type: 'overloaded_error',
  });
  for (const { headers } of [refused, messages])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Math.max(refusedMs, messagesMs)).toBeLessThan(REFUSED_MS);
}

test.each([
  ['is cut off', 'cut'],
  ['hears nothing', 'blackHole'],
] as const)('a node that %s completes open answers and bills them after the cut', async (_, fault) => {
  const stream = await openSlowStream(node);
  const from = performance.now();
  node.proxy[fault]();
  stream.release();
  const refused = expectRefusedInTime();
  await waitFor(async () => (await readiness()) === 503);
  expect(performance.now() - from).toBeLessThan(UNREADY_MS);
  expect(await stream.text).toContain(DONE);
  await refused;
  node.proxy.heal();
  const healedAt = performance.now();
  await waitFor(async () => (await ask()).status === 200 && (await readiness()) === 200);
  expect(performance.now() - healedAt).toBeLessThan(HEALED_MS);
  await waitFor(async () => (await outcomes()).length === 2);
  await waitFor(async () => (await gateway.holds()) === 0);
  const spent = (await usageEntries(node.server, key.account)).map(({ microcredits }) => microcredits);
  expect(await outcomes()).toEqual(['complete', 'complete']);
  expect(new Set(spent).size).toBe(1);
  expect({
    billedTwice: await gateway.billedTwice(),
    faults: await node.server.ledgerFaults(),
  }).toEqual({ billedTwice: [], faults: [] });
});

test('with `store.spool: refuse` an answer that cannot be settled ends with an error and costs nothing', async () => {
  const stream = await openSlowStream(refusing);
  refusing.proxy.cut();
  stream.release();
  const text = await stream.text;
  expect(text).toContain('"capacity_unavailable"');
  expect(text).not.toContain(DONE);
  refusing.proxy.heal();
  await waitFor(async () => (await ask(refusing)).status === 200);
  await waitFor(async () => (await gateway.holds()) === 0);
  expect(await outcomes()).toEqual(['complete']);
  expect(await node.server.ledgerFaults()).toEqual([]);
});
