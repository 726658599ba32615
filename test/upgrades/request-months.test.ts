import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { PostgresRequests } from '../../src/store/postgres/operation/postgres-requests.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import type { RequestGroup } from '../../src/watch/requests/request-store.ts';
import { loadDatabase } from './support/kept-release.ts';

const DAY_MS = 86_400_000;
const MAX_EACH = 1_000_000;
const databases: Database[] = [];
afterAll(() => Promise.all(databases.map((database) => database.close())));

async function open(url: string): Promise<Database> {
  const database = new Database({ url, maxConnections: 4, deadlineMs: 60_000 });
  databases.push(database);
  return database;
}

const group = (endedAt: number, fields: Partial<RequestGroup> = {}): RequestGroup => ({
  accountId: 'acct_a',
  endedAt,
  firstId: 'req_1',
  lastId: 'req_2',
  count: 2,
  lines: '{}',
  ...fields,
});

const groupsSql = 'SELECT *, encode(lines, $1) AS content FROM public.request_group ORDER BY sequence';
const groupsOf = async (database: Database) =>
  (await database.all(groupsSql, ['hex'])).map(({ lines, ...row }) => row);
const tablesOf = async (database: Database) =>
  (await database.all(`SELECT name FROM public.request_month ORDER BY ends`)).map(({ name }) => name);
const commentsSql = `
  SELECT objsubid AS column, description AS comment FROM pg_description
  WHERE objoid = 'request_group'::regclass ORDER BY objsubid`;
const wrongCountsSql = `
  SELECT account_id FROM request_count FULL JOIN
    (SELECT account_id, sum(count) AS found FROM request_group GROUP BY 1) AS kept USING (account_id)
  WHERE kept.found IS DISTINCT FROM request_count.kept`;

/** Makes a database of 0.2.0 with records, after the migrations of this version. */
async function upgraded(): Promise<Database> {
  const url = new URL(await loadDatabase('0.2.0', Date.now()));
  const database = await open(url.href);
  const owner = await open(url.href);
  await owner.script(`ALTER DATABASE ${url.pathname.slice(1)} SET search_path = public`);
  await migrate(database, schema);
  return database;
}

test('the table of 0.2.0 becomes the first month while nodes read and write it', async () => {
  const database = await upgraded();
  const requests = new PostgresRequests(database);
  const before = await groupsOf(database);
  const comments = await database.all(commentsSql);
  expect(before.length).toBeGreaterThan(0);
  expect(comments.length).toBeGreaterThan(0);
  expect(await tablesOf(database)).toEqual([]);
  let over = false;
  let added = 0;
  const work = (async () => {
    for (; !over; added++) {
      await requests.addRequests([group(Date.now(), { accountId: 'acct_new' })], MAX_EACH);
      await requests.listRequests({ endedFrom: 0, limit: 5 });
    }
  })();
  const sweep = () => requests.sweepRequests({ endedBefore: 0, limit: 7 });
  expect(await sweep()).toBe(7);
  expect(await sweep()).toBe(7);
  while ((await sweep()) > 0);
  over = true;
  await work;
  const [first, ...coming] = await tablesOf(database);
  expect(first).toBe('request_group_first');
  expect(coming.length).toBeGreaterThan(0);
  expect(await database.all(commentsSql)).toEqual(comments);
  const after = await groupsOf(database);
  expect(after.slice(0, before.length)).toEqual(before);
  expect({ length: after.length, count: new Set(after.map(({ sequence }) => sequence)).size }).toEqual({
    length: before.length + added,
    count: before.length + added,
  });
  expect(await database.all(wrongCountsSql)).toEqual([]);
});

test('a reader that holds the table only delays its division', async () => {
  const database = await upgraded();
  const requests = new PostgresRequests(database);
  const sweep = () => requests.sweepRequests({ endedBefore: 0, limit: 7 });
  await database.transaction(async (queries) => {
    await queries.all('SELECT 1 FROM request_group LIMIT 1');
    expect(await sweep()).toBe(0);
    expect(await tablesOf(database)).toEqual([]);
    await requests.addRequests([group(Date.now())], MAX_EACH);
  });
  while ((await sweep()) > 0);
  expect((await tablesOf(database))[0]).toBe('request_group_first');
  expect((await requests.listRequests({ accountId: 'acct_a', endedFrom: 0, limit: 5 })).length).toBe(1);
});

let database: Database;
let requests: PostgresRequests;
let now: number;

beforeAll(async () => {
  database = await open(await (await postgresForTest()).create());
  requests = new PostgresRequests(database);
  now = Number((await database.first('SELECT now_ms() AS now'))!.now);
});

test('a new database has months from the beginning, and each record makes the month that it needs', async () => {
  expect(await tablesOf(database)).toEqual(['request_group_first']);
  const later = [now, now + 40 * DAY_MS, now + 75 * DAY_MS, now + 400 * DAY_MS];
  await Promise.all(
    later.map((at) => requests.addRequests([group(at), group(at, { accountId: 'acct_b' })], MAX_EACH)),
  );
  const listed = await requests.listRequests({ endedFrom: 0, limit: 100, accountId: 'acct_a' });
  expect(listed.map(({ endedAt }) => endedAt).sort()).toEqual(later);
  const placed = await database.all(
    'SELECT DISTINCT tableoid::regclass::text AS name FROM request_group ORDER BY 1',
  );
  expect(placed.length).toBe(4);
  for (const { name } of placed) expect(await tablesOf(database)).toContain(name);
  expect(await database.all(wrongCountsSql)).toEqual([]);
});

test('records that are kept for months are dropped by the month, and the counts follow', async () => {
  const keptMs = 60 * DAY_MS;
  const [oldest, ...others] = await database.all(
    'SELECT name, ends FROM request_month WHERE starts <= $1 ORDER BY ends',
    [now + 400 * DAY_MS],
  );
  // A millisecond before its end, every group but none of the month has to stay.
  const sweepAt = (endedBefore: number) => requests.sweepRequests({ endedBefore, limit: 100, keptMs });
  expect(await sweepAt(Number(oldest!.ends) - 1)).toBe(0);
  expect((await groupsOf(database)).length).toBe(8);
  expect(await sweepAt(Number(oldest!.ends))).toBe(2);
  expect(await tablesOf(database)).not.toContain(oldest!.name);
  expect((await groupsOf(database)).length).toBe(6);
  expect(await database.all(wrongCountsSql)).toEqual([]);
  await database.run('UPDATE installation SET clock_ahead_ms = $1', [500 * DAY_MS]);
  for (let round = 0; round < others.length; round++) await sweepAt(now + 440 * DAY_MS);
  await database.run('UPDATE installation SET clock_ahead_ms = 0');
  expect(await groupsOf(database)).toEqual([]);
  expect(await database.all('SELECT * FROM request_count')).toEqual([]);
});

test('records that are kept for a shorter time are deleted when it is over', async () => {
  await requests.addRequests([group(now - 2 * DAY_MS), group(now)], MAX_EACH);
  const order = { endedBefore: now - DAY_MS, limit: 100, keptMs: DAY_MS };
  while ((await requests.sweepRequests(order)) > 0);
  expect((await groupsOf(database)).map(({ ended_at }) => Number(ended_at))).toEqual([now]);
  expect(await database.all(wrongCountsSql)).toEqual([]);
});

test('an account with too many records loses the oldest ones, whatever their month', async () => {
  const accountId = 'acct_many';
  for (const at of [now, now + 40 * DAY_MS, now + 75 * DAY_MS])
    await requests.addRequests([group(at, { accountId, count: 10 })], 20);
  const left = await requests.listRequests({ accountId, endedFrom: 0, limit: 10 });
  expect(left.map(({ endedAt }) => endedAt)).toEqual([now + 75 * DAY_MS, now + 40 * DAY_MS]);
  expect(await database.all(wrongCountsSql)).toEqual([]);
});
