import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { advisoryLocks } from './advisory-locks.ts';
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

const third: PostgresMigration = { number: 6, name: 'six', sql: 'ALTER TABLE one ADD COLUMN k integer' };
const waitingSql = `SELECT count(*) AS count FROM pg_locks WHERE NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const isWaiting = async () => Number((await database.first(waitingSql))!.count) > 0;

test('a long transaction delays a migration, and others use its table meanwhile', async () => {
  const [node, reader] = [1, 1].map((maxConnections) => new Database({ url, maxConnections }));
  const reported: string[] = [];
  const dump = Promise.withResolvers<void>();
  const dumped = database.transaction(async (queries) => {
    await queries.all('SELECT n FROM one');
    await dump.promise;
  });
  const migrated = migrateTo(
    node!,
    { migrations: [third], functions: [] },
    { report: (problem) => reported.push(problem) },
  );
  await waitFor(isWaiting);
  const startedAt = performance.now();
  expect(await reader!.all('SELECT n FROM one')).toEqual([{ n: 1 }]);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  dump.resolve();
  await dumped;
  expect(await migrated).toMatchObject({ to: 6 });
  expect(reported[0]).toContain('could not take a lock in time');
  await Promise.all([node!.close(), reader!.close()]);
});

test('a start that waits for the migration of another node reports it', async () => {
  const [node, other] = [1, 1].map((maxConnections) => new Database({ url, maxConnections }));
  const begun = Promise.withResolvers<void>();
  const migrating = Promise.withResolvers<void>();
  const turn = other!.transaction(async (queries) => {
    await queries.run('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.migrate]);
    begun.resolve();
    await migrating.promise;
  });
  await begun.promise;
  const reported: string[] = [];
  const report = (problem: string) => reported.push(problem);
  const migrated = migrateTo(node!, { migrations: [third], functions: [] }, { report });
  await waitFor(() => reported.length > 0);
  migrating.resolve();
  await turn;
  await migrated;
  expect(reported).toEqual(['Another node brings the schema up to date.']);
  await Promise.all([node!.close(), other!.close()]);
});

test('a migration in a deadlock gives way and is tried again', async () => {
  const node = new Database({ url, maxConnections: 1 });
  await database.script('CREATE TABLE other (n integer); INSERT INTO other VALUES (1)');
  const seventh = {
    number: 7,
    name: 'seven',
    sql: 'ALTER TABLE one ADD COLUMN l integer; ALTER TABLE other ADD COLUMN l integer',
  };
  const watcher = new Database({ url, maxConnections: 1 });
  let migrated: unknown;
  await database.transaction(async (queries) => {
    await queries.run('UPDATE other SET n = 2');
    migrated = migrate(node, [third, seventh]);
    await waitFor(async () => Number((await watcher.first(waitingSql))!.count) > 0);
    await queries.run('UPDATE one SET n = 2');
  });
  expect(await migrated).toMatchObject({ to: 7 });
  await Promise.all([node.close(), watcher.close()]);
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
