import { afterEach, beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { DAY_MS, HOUR_MS } from '../../src/base/lib/units.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { isLong } from '../support/is-long.ts';
import { ledgerEntries, usageEntries } from '../support/ledger-entries.ts';
import { answerSlowly } from '../support/recording-upstream.ts';
import { DONE } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { askForStream, openFaultyGateway } from './faulty-gateway.ts';

let gateway: ReturnType<typeof openFaultyGateway>;
beforeEach(() => {
  gateway = openFaultyGateway({
    server: { drain_s: 1 },
    plans: { ...wideLimits, launch: { requests_per_min: 3 } },
  });
});
afterEach(() => gateway.close());

const STREAMS = isLong ? 200 : 80;
const DAY_S = DAY_MS / 1_000;

test('a drain bills only the streams that end in time', async () => {
  const server = await gateway.start();
  const key = await server.createKey('pro');
  const quick = answerSlowly();
  const never = answerSlowly();
  gateway.upstream.answer('hidden-test-small', quick.answer);
  gateway.upstream.answer('hidden-test-plain', never.answer);
  const ask = (model: string) =>
    Array.from({ length: STREAMS / 2 }, () => askForStream(server.url, key.key, { model }));
  const ending = ask('test-small');
  const cut = ask('test-plain');
  await waitFor(() => gateway.upstream.requests.length === STREAMS);
  server.signal('SIGTERM');
  await waitFor(() =>
    server.call('/readyz').then(
      ({ status }) => status === 503,
      () => true,
    ),
  );
  quick.release();
  const isWhole = (text: string) => text.includes(DONE) && !text.includes('"error"');
  const isReported = (text: string) => text.includes('"capacity_unavailable"') && !text.includes(DONE);
  expect((await Promise.all(ending)).filter(isWhole)).toHaveLength(STREAMS / 2);
  expect((await Promise.all(cut)).filter(isReported)).toHaveLength(STREAMS / 2);
  expect(await server.exited).toBe(0);
  expect({ holds: gateway.holds(), contradictions: gateway.contradictions() }).toEqual({
    holds: 0,
    contradictions: [],
  });
  const restarted = await gateway.start();
  expect(await usageEntries(restarted, key.account)).toHaveLength(STREAMS / 2);
});

test('a request is billed to the cycle in which it began', async () => {
  const server = await gateway.start({}, { TOLLGATE_TEST_CLOCK: '1' });
  const key = await server.createKey('starter');
  expect((await server.chat(key.key, 'test-plain')).status).toBe(200);
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  const crossing = askForStream(server.url, key.key);
  await waitFor(() => gateway.upstream.requests.length === 2);
  await server.admin('POST', '/test/clock', { advance_s: 32 * DAY_S });
  const others = Array.from({ length: 50 }, () => server.chat(key.key, 'test-plain'));
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  slow.release();
  expect(await crossing).toContain(DONE);
  expect(await ledgerEntries(server, key.account, 'renewal')).toHaveLength(1);
  const { credits } = await server.readAccount(key.account);
  expect(credits.used).toBe((50 * (7 * 500 + 3 * 2_000)) / 1e6);
  expect(await usageEntries(server, key.account)).toHaveLength(52);
  expect(await server.ledgerFaults()).toEqual([]);
});

test('a clock that jumps an hour grants nothing twice and refuses no request', async () => {
  const server = await gateway.start({}, { TOLLGATE_TEST_CLOCK: '1' });
  const key = await server.createKey('free');
  for (let hour = 0; hour < 3; hour++) {
    expect((await server.chat(key.key, 'test-small')).status).toBe(200);
    await server.admin('POST', '/test/clock', { advance_s: 3_600 });
  }
  const { credits } = await server.readAccount(key.account);
  expect({ limit: credits.limit, used: credits.used }).toEqual({
    limit: 200,
    used: (3 * (7 * 500 + 3 * 2_000)) / 1e6,
  });
  expectRefusal(await server.chat(`${key.key}x`, 'test-small'), 401, 'invalid_api_key');
  expect(await ledgerEntries(server, key.account, 'renewal')).toEqual([]);
});

test('a changed clock neither resets nor extends a window of a rate limit', async () => {
  const file = gateway.switchFile('ahead');
  for (const aheadMs of [HOUR_MS, -HOUR_MS]) {
    writeFileSync(file, '0');
    const server = await gateway.start({ clockAheadIn: file });
    const { key } = await server.createKey('launch');
    for (let time = 0; time < 3; time++) expect((await server.chat(key, 'test-small')).status).toBe(200);
    writeFileSync(file, String(aheadMs));
    const refused = await server.chat(key, 'test-small');
    expectRefusal(refused, 429, 'rate_limit_exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 62);
    expect(refused.headers.get('x-ratelimit-reset-requests')).toMatch(/^[1-6]?\d(\.\d)?s$/);
    await server.stop();
  }
});
