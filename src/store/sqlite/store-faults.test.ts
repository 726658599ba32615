import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreProblem } from '../store-problem.ts';
import { sampleAccount, sampleAudit } from '../testing/conformance/sample-records.ts';
import { migrations } from './migrations.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import { refuseOldSqlite } from './refuse-old-sqlite.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { type TemporaryDirectory, temporaryDirectory } from './testing/temporary-directory.ts';

const NOBODY = 65_534;

let place: TemporaryDirectory;
let directory: string;
let path: string;

beforeEach(() => {
  place = temporaryDirectory();
  directory = join(place.directory, 'data');
  path = join(directory, 'tollgate.db');
});

afterEach(() => place.remove());

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (reason) => reason,
  );
  if (!(error instanceof StoreProblem)) throw error;
  expect(error.sentence).not.toContain('\n');
  return error.sentence;
}

async function create(store: SqliteStore): Promise<string> {
  const account = sampleAccount();
  await store.createAccount(account, sampleAudit());
  return account.id;
}

test('refuses a file at the path of the directory', async () => {
  writeFileSync(directory, '');
  expect(await problemOf(openSqliteStore({ directory }))).toContain(`${directory} is not a directory`);
  const below = join(directory, 'deeper');
  expect(await problemOf(openSqliteStore({ directory: below }))).toContain(`${below} is not a directory`);
});

test('refuses a directory without write access', async () => {
  mkdirSync(directory, { mode: 0o500 });
  chmodSync(place.directory, 0o755);
  // Root can write anywhere, so the process temporarily takes another user id.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    expect(await problemOf(openSqliteStore({ directory }))).toContain(`${directory} cannot be written`);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  await (await openSqliteStore({ directory })).close();
});

test('refuses a file that is not a database without changing it', async () => {
  mkdirSync(directory);
  const content = 'no database '.repeat(1_000);
  writeFileSync(path, content);
  expect(await problemOf(openSqliteStore({ directory }))).toContain(`${path} is not an intact database`);
  expect(readFileSync(path, 'utf8')).toBe(content);
});

test('refuses a truncated database without changing it', async () => {
  const store = await openSqliteStore({ directory });
  await create(store);
  await store.close();
  truncateSync(path, 5_000);
  const content = readFileSync(path);
  expect(await problemOf(openSqliteStore({ directory }))).toContain(`${path} is not an intact database`);
  expect(readFileSync(path)).toEqual(content);
});

test('refuses a newer schema with both versions in the message', async () => {
  const next = { number: migrations.length + 1, name: 'next', sql: 'CREATE TABLE next (id INTEGER)' };
  await (await openSqliteStore({ directory, migrations: [...migrations, next] })).close();
  expect(await problemOf(openSqliteStore({ directory }))).toContain(
    `${path} has schema ${next.number}, but this version supports schemas up to ${migrations.length}`,
  );
  await (await openSqliteStore({ directory, migrations: [...migrations, next] })).close();
});

test('refuses a version of SQLite that can lose data', () => {
  expect(() => refuseOldSqlite('3.51.2')).toThrow(
    'SQLite 3.51.2 is too old: the server needs 3.51.3 or newer',
  );
  expect(() => refuseOldSqlite('3.9.0')).toThrow(StoreProblem);
  for (const version of ['3.51.3', '3.54.1', '4.0.0']) refuseOldSqlite(version);
});

async function fillUp(store: SqliteStore): Promise<{ ids: string[]; sentence: string }> {
  const ids: string[] = [];
  for (;;) {
    const attempt = create(store);
    const sentence = await attempt.then(() => undefined).catch(() => problemOf(attempt));
    if (sentence !== undefined) return { ids, sentence };
    ids.push(await attempt);
  }
}

test('serves only reads until a full disk has space again', async () => {
  const store = await openSqliteStore({ directory });
  const allowPages = (count: number) =>
    store.read((connection) => connection.script(`PRAGMA max_page_count = ${count}`));
  expect(await store.problem()).toBeUndefined();
  await allowPages(60);
  const { ids, sentence } = await fillUp(store);
  expect(sentence).toContain(`There is no space left for ${path}`);
  expect(await store.problem()).toBe(sentence);
  expect((await store.listAccounts({ limit: 1_000 })).items.map(({ id }) => id)).toEqual(ids);
  await allowPages(1_000_000);
  ids.push(await create(store));
  expect(await store.problem()).toBeUndefined();
  const probes = await store.read((connection) => connection.all('SELECT sequence FROM probe'));
  expect(probes).toEqual([{ sequence: 2 }]);
  await store.close();
  const again = await openSqliteStore({ directory });
  expect((await again.listAccounts({ limit: 1_000 })).items.map(({ id }) => id)).toEqual(ids);
  await again.close();
});

test('refuses writes until its moved directory is back', async () => {
  const store = await openSqliteStore({ directory });
  const ids = [await create(store)];
  const elsewhere = join(place.directory, 'elsewhere');
  renameSync(directory, elsewhere);
  expect(await problemOf(create(store))).toContain(`${path} is no longer at its path`);
  expect(await store.problem()).toContain(`${path} is no longer at its path`);
  expect((await store.listAccounts({ limit: 10 })).items.map(({ id }) => id)).toEqual(ids);
  renameSync(elsewhere, directory);
  expect(await store.problem()).toBeUndefined();
  ids.push(await create(store));
  await store.close();
  const again = await openSqliteStore({ directory });
  expect((await again.listAccounts({ limit: 10 })).items.map(({ id }) => id)).toEqual(ids);
  await again.close();
});

test('closes although its directory was deleted', async () => {
  const store = await openSqliteStore({ directory });
  rmSync(directory, { recursive: true });
  expect(await problemOf(create(store))).toContain('restart the server to create a new one');
  await store.close();
  await (await openSqliteStore({ directory })).close();
});

test('refuses writes after its file was replaced', async () => {
  const store = await openSqliteStore({ directory });
  renameSync(path, `${path}.former`);
  writeFileSync(path, '');
  expect(await problemOf(create(store))).toContain(`${path} was replaced while the server ran`);
  expect(await store.problem()).toContain(`${path} was replaced while the server ran`);
  rmSync(path);
  renameSync(`${path}.former`, path);
  await create(store);
  await store.close();
});

test('does not touch the store that another server created at its former path', async () => {
  const elsewhere = join(place.directory, 'elsewhere');
  const moved = await openSqliteStore({ directory });
  const movedId = await create(moved);
  renameSync(directory, elsewhere);
  const other = await openSqliteStore({ directory });
  const otherId = await create(other);
  await moved.close();
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(await other.problem()).toBeUndefined();
  await other.close();
  for (const [where, id] of [
    [directory, otherId],
    [elsewhere, movedId],
  ] as const) {
    const store = await openSqliteStore({ directory: where });
    expect((await store.listAccounts({ limit: 10 })).items.map((account) => account.id)).toEqual([id]);
    await store.close();
  }
});
