import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { systemClock } from '../../base/lib/clock.ts';
import { namesOf } from '../../base/lib/names.ts';
import { createAccounts } from '../../money/accounts/create-accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { builtinPlans, type Plans } from '../../settings/plans/plan.ts';
import { StoreProblem } from '../store-problem.ts';
import { sampleAccount, sampleAudit } from '../testing/conformance/sample-records.ts';
import { openSqliteStore } from './open-sqlite-store.ts';
import type { SqliteStore } from './sqlite-store.ts';
import { startWriter } from './testing/start-writer.ts';
import { type TemporaryDirectory, temporaryDirectory } from './testing/temporary-directory.ts';

let place: TemporaryDirectory;
let directory: string;

beforeEach(() => {
  place = temporaryDirectory();
  directory = join(place.directory, 'new', 'data');
});

afterEach(() => place.remove());

const modeOf = (path: string) => statSync(path).mode & 0o777;
const taken = /^Another server is running on the data directory /;

test('creates the directory and its files for the owner only', async () => {
  const store = await openSqliteStore({ directory });
  await store.createAccount(sampleAccount(), sampleAudit());
  expect(modeOf(directory)).toBe(0o700);
  const files = readdirSync(directory).sort();
  expect(files).toEqual(['tollgate.db', 'tollgate.db-shm', 'tollgate.db-wal', 'tollgate.lock']);
  for (const file of files) expect(modeOf(join(directory, file))).toBe(0o600);
  await store.close();
  expect(readdirSync(directory).sort()).toEqual(['tollgate.db', 'tollgate.lock']);
});

test('keeps the mode of an existing directory', async () => {
  mkdirSync(directory, { recursive: true, mode: 0o750 });
  await (await openSqliteStore({ directory })).close();
  expect(modeOf(directory)).toBe(0o750);
});

test('keeps its file consistent through a loss of power, leaves flushes to the log flush, and enforces foreign keys', async () => {
  const store = await openSqliteStore({ directory });
  const setting = (name: string) => store.read((connection) => connection.first(`PRAGMA ${name}`));
  expect(await setting('journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(await setting('synchronous')).toEqual({ synchronous: 1 });
  expect(await setting('foreign_keys')).toEqual({ foreign_keys: 1 });
  expect(await setting('busy_timeout')).toEqual({ timeout: 250 });
  await store.close();
});

test('allows one server per directory, even in the same process', async () => {
  const store = await openSqliteStore({ directory });
  await expect(openSqliteStore({ directory })).rejects.toThrow(taken);
  await expect(openSqliteStore({ directory })).rejects.toBeInstanceOf(StoreProblem);
  await store.createAccount(sampleAccount(), sampleAudit());
  await store.close();
  await (await openSqliteStore({ directory })).close();
});

test('refuses a directory only while its server runs', async () => {
  const writer = startWriter(directory);
  await writer.started;
  await expect(openSqliteStore({ directory })).rejects.toThrow(taken);
  await writer.kill();
  await (await openSqliteStore({ directory })).close();
});

function countReadOnly(path: string): unknown {
  const database = new Database(path, { readonly: true });
  const row = database.query('SELECT count(*) AS accounts FROM account').get();
  database.close(true);
  return row;
}

test('other programs can read the database while the server runs and after it stops', async () => {
  const store = await openSqliteStore({ directory });
  const path = join(directory, 'tollgate.db');
  await store.createAccount(sampleAccount(), sampleAudit());
  expect(countReadOnly(path)).toEqual({ accounts: 1 });
  await store.createAccount(sampleAccount(), sampleAudit());
  expect(countReadOnly(path)).toEqual({ accounts: 2 });
  await store.close();
  expect(countReadOnly(path)).toEqual({ accounts: 2 });
  await (await openSqliteStore({ directory })).close();
});

test('writes at most once a second for health checks', async () => {
  const store = await openSqliteStore({ directory });
  const rows = () => store.read((connection) => connection.first('SELECT max(sequence) AS last FROM probe'));
  for (let ask = 0; ask < 50; ask += 1) expect(await store.problem()).toBeUndefined();
  expect(await rows()).toEqual({ last: 1 });
  await store.close();
});

function accountsOn(store: SqliteStore) {
  return createAccounts({
    store,
    clock: systemClock,
    plans: () => Object.fromEntries(builtinPlans.map((plan) => [plan.id, plan])) as Plans,
    names: () => namesOf('svc'),
    resolveModelId: (spelling) => spelling,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  });
}

/**
 * Reads a copy made by another process.
 * Opening and closing the database file here would release this process's locks on it.
 */
function bytesOf(source: string): string {
  const copy = join(place.directory, crypto.randomUUID());
  expect(Bun.spawnSync(['cp', '-r', source, copy]).exitCode).toBe(0);
  return readdirSync(copy)
    .map((file) => readFileSync(join(copy, file), 'latin1'))
    .join('\n');
}

test('stores only the SHA-256 of a key [AUT-04]', async () => {
  const store = await openSqliteStore({ directory });
  const accounts = accountsOn(store);
  const { id } = await accounts.create({ name: 'Ada', plan: 'free' }, 'admin');
  const created = acceptedOrError(await accounts.createKey(id, { name: 'laptop' }, 'admin'));
  const whileOpen = bytesOf(directory);
  await accounts.revokeKey(created.apiKey.id, 'admin');
  await store.close();
  for (const bytes of [whileOpen, bytesOf(directory)]) {
    expect(bytes.includes(hashKey(created.secret))).toBe(true);
    expect(bytes.includes(created.secret)).toBe(false);
    expect(bytes.includes(created.secret.slice(-20))).toBe(false);
  }
});

test('refuses a directory that has lost its database, and creates none in it', async () => {
  await (await openSqliteStore({ directory })).close();
  rmSync(join(directory, 'tollgate.db'));
  writeFileSync(join(directory, 'settlements.spool'), '');
  await expect(openSqliteStore({ directory })).rejects.toThrow('tollgate.db is missing');
  expect(readdirSync(directory).sort()).toEqual(['settlements.spool', 'tollgate.lock']);
});

test('an empty folder for the archive says nothing about a database, unlike a file in it', async () => {
  const archive = join(directory, 'archive');
  mkdirSync(join(archive, 'lost+found'), { recursive: true });
  await (await openSqliteStore({ directory })).close();
  rmSync(join(directory, 'tollgate.db'));
  writeFileSync(join(archive, '1-2.zst'), '');
  await expect(openSqliteStore({ directory })).rejects.toThrow('has archive, but its database');
});
