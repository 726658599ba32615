import { afterEach, beforeEach, expect, test } from 'bun:test';
import { loadAppliedMigrations, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { migrations as allMigrations } from './migrations.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { openTestConnection } from './testing/open-test-connection.ts';

const first: Migration = {
  number: 1,
  name: 'first',
  sql: 'CREATE TABLE one (id INTEGER); INSERT INTO one VALUES (7)',
};
const second: Migration = { number: 2, name: 'second', sql: 'ALTER TABLE one ADD COLUMN two TEXT' };
const broken: Migration = {
  number: 2,
  name: 'broken',
  sql: 'DELETE FROM one; CREATE TABLE one (id INTEGER)',
};

let connection: SqliteConnection;
let remove: () => void;

beforeEach(() => {
  ({ connection, remove } = openTestConnection());
});
afterEach(() => {
  connection.close();
  remove();
});

const run = (...migrations: Migration[]) => migrate(connection, { migrations, now: 1_234 });
const appliedNames = () => loadAppliedMigrations(connection).map(({ name }) => name);

test('migrates an empty database to the latest schema', () => {
  expect(loadAppliedMigrations(connection)).toEqual([]);
  expect(run(first, second)).toBeUndefined();
  expect(connection.all('SELECT * FROM one')).toEqual([{ id: 7, two: null }]);
  expect(connection.all('SELECT number, name, applied_at FROM migration ORDER BY number')).toEqual([
    { number: 1, name: 'first', applied_at: 1_234 },
    { number: 2, name: 'second', applied_at: 1_234 },
  ]);
});

test('migrates an older database with its data', () => {
  run(first);
  connection.script('INSERT INTO one VALUES (8)');
  expect(run(first, second)).toEqual({ from: 1, to: 2, durationMs: expect.any(Number) });
  expect(run(first, second)).toBeUndefined();
  expect(connection.all('SELECT * FROM one')).toEqual([
    { id: 7, two: null },
    { id: 8, two: null },
  ]);
});

test('does not change a database that is up to date', () => {
  run(first, second);
  run(first, second);
  expect(connection.all('SELECT id FROM one')).toEqual([{ id: 7 }]);
});

test('runs the fixed version of a migration that failed', () => {
  expect(() => run(first, broken)).toThrow('already exists');
  expect(connection.inTransaction).toBe(false);
  expect(appliedNames()).toEqual(['first']);
  expect(connection.all('SELECT * FROM one')).toEqual([{ id: 7 }]);
  run(first, second);
  expect(appliedNames()).toEqual(['first', 'second']);
});

test('refuses a newer schema without changing it', () => {
  run(first, second);
  expect(() => run(first)).toThrow(/has schema 2, but this version supports schemas up to 1/);
  expect(appliedNames()).toEqual(['first', 'second']);
});

test('detects a migration that was edited after it was applied', () => {
  run(first);
  const edited = { ...first, sql: `${first.sql};` };
  expect(() => run(edited, second)).toThrow(/another form of migration 1 \(first\)/);
  expect(appliedNames()).toEqual(['first']);
});

test('numbers its migrations from 1 without gaps', () => {
  expect(allMigrations.map(({ number }) => number)).toEqual(allMigrations.map((_, index) => index + 1));
});
