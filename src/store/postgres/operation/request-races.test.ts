import { afterAll, expect, test } from 'bun:test';
import type { RequestGroup } from '../../../watch/requests/request-store.ts';
import { Database } from '../database.ts';
import type { Queries } from '../queries.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { PostgresRequests } from './postgres-requests.ts';

const nodes = () => databases.map((database) => new PostgresRequests(database));

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 4 }), new Database({ url, maxConnections: 4 })];
afterAll(() => Promise.all(databases.map((database) => database.close())));

const group = (accountId: string, endedAt: number): RequestGroup => ({
  accountId,
  endedAt,
  firstId: 'req_1',
  lastId: 'req_5',
  count: 10,
  lines: '{}',
});

const counts = () =>
  databases[0]!.all(`
    SELECT account_id, kept, (SELECT sum(count) FROM request_group AS one WHERE one.account_id = each.account_id) AS found
    FROM request_count AS each ORDER BY account_id`);

test('nodes that record, trim and sweep at the same time keep the counts exact', async () => {
  const accounts = ['acct_c', 'acct_a', 'acct_b'];
  const work: Promise<unknown>[] = [];
  for (let at = 0; at < 60; at++)
    for (const [index, node] of nodes().entries()) {
      const order = (at + index) % 2 === 0 ? accounts : [...accounts].reverse();
      work.push(
        node.addRequests(
          order.map((accountId) => group(accountId, at)),
          100,
        ),
      );
      if (at % 3 === 0) work.push(node.sweepRequests({ endedBefore: at, limit: 5 }));
    }
  await Promise.all(work);
  await nodes()[0]!.addRequests(
    accounts.map((accountId) => group(accountId, 99)),
    100,
  );
  const found = await counts();
  expect(found.map((row) => row.account_id)).toEqual([...accounts].sort());
  for (const row of found) {
    expect(Number(row.found)).toBe(Number(row.kept));
    expect(row.kept).toBeLessThanOrEqual(100);
  }
});

test('one node sweeps at a time', async () => {
  await databases[0]!.run('TRUNCATE request_group, request_count');
  const [one, other] = nodes();
  for (let at = 0; at < 4; at++) await one!.addRequests([group('acct_a', at)], 1_000);
  await databases[0]!.transaction(async (queries) => {
    expect(await new PostgresRequests(queries).sweepRequests({ endedBefore: 9, limit: 2 })).toBe(2);
    expect(await other!.sweepRequests({ endedBefore: 9, limit: 2 })).toBe(0);
  });
  expect(await other!.sweepRequests({ endedBefore: 9, limit: 9 })).toBe(2);
  expect(await counts()).toEqual([]);
});

test('only records of requests do not wait for the disk', async () => {
  const setting = async (queries: Queries) =>
    (await queries.first('SHOW synchronous_commit'))?.synchronous_commit;
  await databases[0]!.transaction(async (queries) => {
    await new PostgresRequests(queries).addRequests([group('acct_a', 1)], 1_000);
    expect(await setting(queries)).toBe('off');
  });
  const lone = new Database({ url, maxConnections: 1 });
  await new PostgresRequests(lone).addRequests([group('acct_a', 2)], 1_000);
  expect(await setting(lone)).toBe('on');
  await lone.close();
});
