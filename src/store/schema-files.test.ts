import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advisoryLocks } from './postgres/advisory-locks.ts';
import { functions } from './postgres/functions.ts';
import { migrations as postgresMigrations } from './postgres/migrations.ts';
import { migrations as sqliteMigrations } from './sqlite/migrations.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Returns the text without comments and white space. */
const statementsOf = (sql: string): string => sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();

/**
 * The released migrations of each store: the newest number, and the hash of their statements. Databases store
 * checksums of an earlier layout of these files, so this test notices an edit.
 */
const RELEASED = {
  sqlite: { newest: 28, hash: '9a2bdae5c92a474fab0e1052ba2f81a70e469e351a54e9f7229b731776437ebd' },
  postgres: { newest: 44, hash: '0b51df8083b57348f7dec0da47251e63e99800e973b3e337bb7e585b148b291f' },
};
/**
 * A change of a function reaches a database with the next migration, so it needs a new one.
 * Both are changed here together.
 */
const FUNCTIONS = { since: 65, hash: '89720d2de755e1b73c8256c9002b2595c78ac42dc2ee2490deaaba8dbab0af31' };

const stores = [
  { store: 'sqlite', migrations: sqliteMigrations },
  { store: 'postgres', migrations: postgresMigrations },
] as const;

for (const { store, migrations } of stores)
  test(`the statements of released migrations of ${store} never change`, () => {
    const { newest, hash } = RELEASED[store];
    const released = migrations.filter(({ number }) => number <= newest);
    expect(released.at(-1)!.number).toBe(newest);
    expect(hashOf(released.map(({ sql }) => statementsOf(sql)).join('\n'))).toBe(hash);
    expect(released.every(({ checksum }) => checksum !== undefined)).toBe(true);
  });

test('a changed function comes with a new migration', () => {
  expect(hashOf(functions.map(statementsOf).join('\n'))).toBe(FUNCTIONS.hash);
  expect(postgresMigrations.at(-1)!.number).toBeGreaterThanOrEqual(FUNCTIONS.since);
});

test('each table of Postgres has a comment, which says what it has', () => {
  const statementsIn = (pattern: RegExp) =>
    postgresMigrations.flatMap(({ sql }) => [...sql.matchAll(pattern)].map(([, table]) => table!));
  // The program makes the table of migrations before the first one runs.
  const tables = ['migration', ...statementsIn(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)];
  expect(tables.length).toBeGreaterThan(60);
  const explained = new Set(statementsIn(/^COMMENT ON TABLE (\w+) IS\s+'/gm));
  expect(tables.filter((table) => !explained.has(table))).toEqual([]);
});

const filesIn = (folder: string): { name: string; text: string }[] =>
  readdirSync(join(import.meta.dir, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(import.meta.dir, folder, name), 'utf8') }));

for (const { store, migrations } of stores)
  test(`the list of migrations of ${store} names every file, by its number and name`, () => {
    const listed = migrations.map(({ number, name, sql }) => ({
      name: `${String(number).padStart(3, '0')}-${name}.sql`,
      text: sql,
    }));
    expect(listed).toEqual(filesIn(`${store}/migrations`));
  });

test('the list of functions names every file', () => {
  expect([...functions].sort()).toEqual(
    filesIn('postgres/functions')
      .map(({ text }) => text)
      .sort(),
  );
});

test('each function in SQL takes an advisory lock of its own, which the table of locks names', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
  const named = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const taken = functions
    .flatMap((text) => text.split(/(?=^CREATE OR REPLACE FUNCTION )/m).slice(1))
    .flatMap((text) => {
      const name = named(/FUNCTION (\w+)/.exec(text)![1]!);
      return [...text.matchAll(/\b74658236\d\d\b/g)].map(([number]) => [name, Number(number)]);
    });
  const { migrate, archiveEntries, ...ofFunctions } = advisoryLocks;
  expect(Object.fromEntries(taken)).toEqual(ofFunctions);
  expect(taken.length).toBe(Object.keys(ofFunctions).length);
});
