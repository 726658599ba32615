import { afterAll, beforeEach, expect, test } from 'bun:test';
import { TcpProxy } from '../../../test/support/postgres/tcp-proxy.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { StoreProblem } from '../store-problem.ts';
import { Database } from './database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const direct = await (await postgresForTest()).create();
const { hostname: host, port } = new URL(direct);
const proxy = new TcpProxy({ host, port: Number(port) });
const url = proxy.urlOf(direct);
const database = new Database({ url, maxConnections: 3, deadlineMs: 20_000 });
beforeEach(() => proxy.heal());
afterAll(async () => {
  await database.close();
  proxy.stop();
});

const one = (deadlineMs?: number) =>
  database.first('SELECT 1 AS one', [], deadlineMs === undefined ? {} : { deadlineMs });
const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

test('a call costs one round trip, as do the statements of a pipeline', async () => {
  await one();
  const before = proxy.roundTrips;
  await database.all('SELECT 1 AS never_seen_before');
  await database.pipeline([{ text: 'SELECT 2' }, { text: 'SELECT 3' }, { text: 'SELECT 4' }]);
  expect(proxy.roundTrips - before).toBe(2);
});

test('a transaction of one statement costs two round trips', async () => {
  await one();
  const before = proxy.roundTrips;
  await database.transaction((queries) => queries.all('SELECT 1'));
  expect(proxy.roundTrips - before).toBe(2);
});

test('a cut connection fails only the call under way', async () => {
  await one();
  const slow = failure(database.all('SELECT pg_sleep(600)'));
  await waitFor(() => database.counts.open > database.counts.idle);
  proxy.dropAll();
  expect(await slow).toBeInstanceOf(StoreProblem);
  expect(await one()).toEqual({ one: 1 });
});

test('a call during a cut waits until the cut has healed', async () => {
  await one();
  proxy.cut();
  await waitFor(() => database.counts.open === 0);
  const waiting = one();
  expect(await failure(one(200))).toMatchObject({ message: expect.stringContaining('cannot be reached') });
  proxy.heal();
  expect(await waiting).toEqual({ one: 1 });
});

test('a call on a connection that swallows packets ends at its deadline', async () => {
  await Promise.all([one(), one(), one()]);
  proxy.blackHole();
  expect(await failure(one(150))).toMatchObject({ message: 'Postgres did not answer within 150 ms' });
  expect(database.counts.idle).toBe(0);
  expect(await failure(one(150))).toBeInstanceOf(StoreProblem);
  const waiting = one();
  proxy.heal();
  expect(await waiting).toEqual({ one: 1 });
});

test('a pool closes while its network swallows packets', async () => {
  const other = new Database({ url, maxConnections: 2 });
  await other.first('SELECT 1');
  proxy.blackHole();
  const stuck = failure(other.first('SELECT 1', [], { deadlineMs: 600_000 }));
  await other.close();
  expect(await stuck).toBeInstanceOf(StoreProblem);
});

test('notices arrive again after a cut', async () => {
  const seen: string[] = [];
  let starts = 0;
  const listener = database.listen({
    channel: 'sample',
    onNotice: (payload) => seen.push(payload),
    onListening: () => starts++,
  });
  await waitFor(() => starts === 1);
  proxy.dropAll();
  await waitFor(() => starts === 2);
  await database.run(`SELECT pg_notify('sample', 'later')`);
  await waitFor(() => seen.includes('later'));
  listener.stop();
});

test('a pool leaves a server that refuses writes', async () => {
  const process = async () => (await database.first('SELECT pg_backend_pid() AS pid'))?.pid;
  const before = await Promise.all([process(), process()]);
  const refused = database.transaction(async (queries) => {
    await queries.run('SET TRANSACTION READ ONLY');
    await queries.run('CREATE TABLE never (n integer)');
  });
  expect(await failure(refused)).toMatchObject({ hint: 'point DATABASE_URL at the primary server' });
  // Another part of the pool may have opened a connection meanwhile.
  expect(before).not.toContain(await process());
});
