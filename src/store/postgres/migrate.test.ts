import { afterAll, expect, test } from 'bun:test';
import { Database } from './database.ts';
import { migrate as migrateTo } from './migrate.ts';
import type { PostgresMigration } from './postgres-migration.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const url = await (await postgresForTest()).create();
const database = new Database({ url, maxConnections: 2 });
await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
afterAll(() => database.close());

const migrate = (node: Database, migrations: readonly PostgresMigration[], functions: string[] = []) =>
  migrateTo(node, { migrations, functions });

const first: PostgresMigration = {
  number: 1,
  name: 'one',
  sql: 'CREATE TABLE one (n integer);\nINSERT INTO one VALUES (1)',
};
const second: PostgresMigration = { number: 2, name: 'two', sql: 'ALTER TABLE one ADD COLUMN m integer' };

test('nodes that start together apply each migration once', async () => {
  const nodes = Array.from({ length: 4 }, () => new Database({ url, maxConnections: 1 }));
  const reported = await Promise.all(nodes.map((node) => migrate(node, [first])));
  expect(reported).toEqual([undefined, undefined, undefined, undefined]);
  await Promise.all(nodes.map((node) => node.close()));
  expect(await database.all('SELECT n FROM one')).toEqual([{ n: 1 }]);
});

test('a failed migration leaves nothing behind', async () => {
  const wrong = { number: 2, name: 'wrong', sql: 'CREATE TABLE two (n integer);\nSELECT 1 / 0' };
  await expect(migrate(database, [first, wrong])).rejects.toThrow('division by zero');
  expect(await database.first(`SELECT to_regclass('two') AS two`)).toEqual({ two: null });
});

test('an older program works with a newer schema and reports only the upgrade', async () => {
  const reported = await migrate(database, [first, second]);
  expect(reported).toEqual({ from: 1, to: 2, durationMs: expect.any(Number) });
  expect(await migrate(database, [first])).toBeUndefined();
});

test('an older program refuses a newer schema that it cannot work with', async () => {
  await migrate(database, [first, second, { number: 3, name: 'three', sql: 'SELECT 1', needs: 2 }]);
  await migrate(database, [first, second]);
  await expect(migrate(database, [first])).rejects.toThrow('needs a program that knows schema 2');
});

test('the functions are installed only with a new migration', async () => {
  const answer = (value: number) => [
    `CREATE OR REPLACE FUNCTION answer() RETURNS integer LANGUAGE sql AS $$ SELECT ${value} $$; SELECT ';'`,
  ];
  const known = () => database.first('SELECT answer() AS answer');
  const fourth = { number: 4, name: 'four', sql: '-- Only functions have changed.\n' };
  const newest = [first, second, { number: 3, name: 'three', sql: 'SELECT 1', needs: 2 }];
  await migrate(database, [...newest, fourth], answer(1));
  expect(await known()).toEqual({ answer: 1 });
  await migrate(database, newest, answer(0));
  expect(await known()).toEqual({ answer: 1 });
  await migrate(database, [...newest, fourth, { ...fourth, number: 5 }], answer(2));
  expect(await known()).toEqual({ answer: 2 });
});

test('a changed migration is refused', async () => {
  await expect(migrate(database, [{ ...first, sql: 'SELECT 2' }, second])).rejects.toThrow('another form');
});

test('a function that avoids sequential scans is never compiled, since its estimated costs are enormous', async () => {
  const other = new Database({ url: await (await postgresForTest()).create(), maxConnections: 1 });
  const functions = await other.all(
    `SELECT proname AS name, 'jit=off' = ANY (proconfig) AS plain FROM pg_proc
      WHERE 'enable_seqscan=off' = ANY (proconfig) ORDER BY proname`,
  );
  await other.close();
  expect(functions).toEqual([
    { name: 'gate', plain: true },
    { name: 'post_entries', plain: true },
  ]);
});
