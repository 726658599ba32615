import { afterAll, expect, test } from 'bun:test';
import { Database } from '../../../src/store/postgres/database.ts';
import { expectRefusal } from '../../support/expect-refusal.ts';
import { usageEntries } from '../../support/ledger-entries.ts';
import { answerSlowly, answerWell } from '../../support/recording-upstream.ts';
import { DONE } from '../../support/stream-events.ts';
import { waitFor } from '../../support/wait-for.ts';
import { askForStream } from '../faulty-gateway.ts';
import { openGatewayNodes } from './gateway-nodes.ts';

const DELAY_MS = 50;
const ROUND_TRIP_MS = 2 * DELAY_MS;
/** The statements of twenty requests, with those of heartbeats meanwhile. */
const MAX_TRIPS = 55;
const REFUSED_MS = 4_500;
const SERVED_MS = 5_000;
/**
 * A role that owns its database and has no other permission. A superuser would have connections in reserve.
 */
const ROLE = 'gateway';

const gateway = await openGatewayNodes();
afterAll(gateway.close);
await gateway.database.script(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'secret'`);
await gateway.database.script(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
const url = new URL(gateway.proxyOf('node').urlOf(gateway.postgres.url));
Object.assign(url, { username: ROLE, pathname: ROLE });
const node = await gateway.start('node', { url: url.href });
const key = await node.server.createKey('payg');
await node.server.purchase(key.account, 500);

const ask = () => node.server.chat(key.key, 'test-small', { max_tokens: 10 });
const askAtOnce = (count: number) => Promise.all(Array.from({ length: count }, ask));
const complete = async () =>
  (await usageEntries(node.server, key.account)).filter(({ receipt }) => receipt.outcome === 'complete')
    .length;

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Measures the times of requests one by one, and sorts them. */
async function timesOfRequests(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++)
    times.push(await timeOf(async () => expect((await ask()).status).toBe(200)));
  return times.sort((a, b) => a - b);
}

async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  const before = node.proxy.roundTrips;
  await work();
  return node.proxy.roundTrips - before;
}

/** Repeats a measurement up to five times until its result is low enough. Returns the lowest result. */
async function lowestOf(measure: () => Promise<number>, enough: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 5 && lowest > enough; times++) lowest = Math.min(lowest, await measure());
  return lowest;
}

test('a request costs two round trips to Postgres', async () => {
  await askAtOnce(32);
  const alone = await lowestOf(() => roundTripsOf(() => timesOfRequests(20)), MAX_TRIPS);
  expect(alone).toBeWithin(2 * 20, MAX_TRIPS + 1);
  expect(await lowestOf(() => roundTripsOf(() => askAtOnce(32)), 16)).toBeLessThanOrEqual(16);
});

test('32 simultaneous requests wait for at most four round trips to Postgres', async () => {
  const near = await timesOfRequests(15);
  node.proxy.delay(DELAY_MS);
  const far = await timesOfRequests(9);
  expect(far[4]!).toBeGreaterThan(2 * ROUND_TRIP_MS);
  expect(far[0]! - near[0]!).toBeLessThan(2.9 * ROUND_TRIP_MS);
  const together = await lowestOf(() => timeOf(() => askAtOnce(32)), 5 * ROUND_TRIP_MS);
  expect(together).toBeLessThan(5 * ROUND_TRIP_MS + near[14]! * 32);
  node.proxy.delay(0);
});

/**
 * Strains Postgres while an answer is open, and expects the answer to be billed when the strain has ended.
 */
async function expectSurvival(
  strain: () => Promise<unknown>,
  relieve: () => Promise<unknown>,
): Promise<void> {
  const before = await complete();
  const slow = answerSlowly();
  gateway.upstream.answer('hidden-test-small', slow.answer);
  gateway.upstream.forget();
  const open = askForStream(node.server.url, key.key, { max_tokens: 10 });
  await waitFor(() => gateway.upstream.models().length === 1);
  gateway.upstream.answer('hidden-test-small', answerWell);
  await strain();
  slow.release();
  const refusedMs = await timeOf(async () => expectRefusal(await ask(), 503, 'capacity_unavailable'));
  expect(refusedMs).toBeLessThan(REFUSED_MS);
  expect(await open).toContain(DONE);
  await relieve();
  const servedMs = await timeOf(() => waitFor(async () => (await ask()).status === 200));
  expect(servedMs).toBeLessThan(SERVED_MS);
  await waitFor(async () => (await complete()) === before + 2);
  expect(await node.server.ledgerFaults()).toEqual([]);
}

test('without a free connection only open answers are served, and billed later', async () => {
  const limitTo = (count: number) => gateway.database.script(`ALTER ROLE ${ROLE} CONNECTION LIMIT ${count}`);
  await expectSurvival(
    async () => {
      await limitTo(0);
      await gateway.database.all(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [ROLE],
      );
    },
    () => limitTo(-1),
  );
});

test('on a full disk of Postgres only open answers are served, and billed later', async () => {
  const url = Object.assign(new URL(gateway.postgres.url), { pathname: ROLE }).href;
  const inside = new Database({ url, maxConnections: 1, deadlineMs: 20_000 });
  const tables = ['entry', 'open_hold', 'probe'];
  await inside.script(`CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
  const each = (statement: (table: string) => string) => inside.script(tables.map(statement).join(';'));
  await expectSurvival(
    () => each((table) => `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} EXECUTE FUNCTION no_space()`),
    () => each((table) => `DROP TRIGGER full_disk ON ${table}`),
  );
  await inside.close();
});
