import { afterAll, expect, test } from 'bun:test';
import { Database } from './database.ts';
import { sweepChanges } from './sweep-changes.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const url = await (await postgresForTest()).create();
const databases = [new Database({ url, maxConnections: 2 }), new Database({ url, maxConnections: 2 })];
afterAll(() => Promise.all(databases.map((database) => database.close())));

test('changes older than an hour are removed by one node at a time', async () => {
  const [one, other] = databases;
  await one!.run(`
    INSERT INTO change (at, kind, subject)
    SELECT now_ms() - 3600001 - n, 'key', n::text FROM generate_series(1, 10) AS old (n)`);
  await one!.run(`SELECT announce('key', 'fresh')`);
  expect(await sweepChanges(one!, 4)).toBe(4);
  await one!.transaction(async (queries) => {
    expect(await sweepChanges(queries, 4)).toBe(4);
    expect(await sweepChanges(other!, 4)).toBe(0);
  });
  expect(await sweepChanges(other!, 4)).toBe(2);
  expect(await other!.all('SELECT subject FROM change')).toEqual([{ subject: 'fresh' }]);
});
