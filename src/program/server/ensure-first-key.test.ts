import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../base/lib/clock.ts';
import { namesOf } from '../../base/lib/names.ts';
import type { Installation } from '../../customers/operators/installation.ts';
import type { AccountStore } from '../../money/accounts/account-store.ts';
import { createAccounts } from '../../money/accounts/create-accounts.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import { commonRecords } from '../../store/common-records.ts';
import { Database } from '../../store/postgres/database.ts';
import { PostgresInstallation } from '../../store/postgres/postgres-installation.ts';
import { PostgresQueries } from '../../store/postgres/postgres-queries.ts';
import { postgresForTest, type TestPostgres } from '../../store/postgres/testing/postgres-for-test.ts';
import type { DraftStore } from '../assembly/first-start-of.ts';
import { ensureSharedFirstKey } from './ensure-first-key.ts';
import { ensureFirstToken } from './ensure-first-token.ts';
import { StateFiles } from './state-files.ts';

const NODES = 4;

let server: TestPostgres;
let url: string;
let databases: Database[];
let directories: string[];

beforeAll(async () => {
  server = await postgresForTest();
});
beforeEach(async () => {
  url = await server.create();
  databases = Array.from({ length: NODES }, () => new Database({ url, maxConnections: 2 }));
  directories = Array.from({ length: NODES }, () => mkdtempSync(join(tmpdir(), 'tollgate-node-')));
});
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  for (const directory of directories) rmSync(directory, { recursive: true });
});
afterAll(() => server.drop(url));

const filesOf = (directory: string) => new StateFiles(directory);

function accountsOn(store: DraftStore) {
  return createAccounts({
    store: store as AccountStore,
    clock: systemClock,
    names: () => namesOf('svc'),
    plans: () => ({}) as Plans,
    resolveModelId: () => undefined,
    onKeyChanged: () => {},
    onAccountChanged: () => {},
  });
}

const tokenAt = (node: number, files: StateFiles, configured: string | null = null) =>
  ensureFirstToken({ configured, files, installation: new PostgresInstallation(databases[node]!) });

const keyAt = (node: number, files: StateFiles, installation?: Installation) =>
  ensureSharedFirstKey({
    files,
    accountsOn,
    installation: installation ?? new PostgresInstallation(databases[node]!),
  });

test('one of several nodes that start together makes the admin token and writes its file', async () => {
  const files = directories.map(filesOf);
  const tokens = await Promise.all(files.map((each, node) => tokenAt(node, each)));
  const made = tokens.filter(({ text }) => text !== undefined);
  expect(made).toHaveLength(1);
  expect(new Set(tokens.map(({ hash }) => hash))).toEqual(new Set([hashKey(made[0]!.text!)]));
  const written = files.map((each) => each.read('admin-token'));
  expect(written.filter((text) => text !== undefined)).toEqual([made[0]!.text!]);
  expect(files.filter((each) => each.exists('admin-token'))).toHaveLength(1);
  const again = await Promise.all(files.map((each, node) => tokenAt(node, each)));
  expect(again).toEqual(tokens);
});

test('workers that share a data directory know the same admin token', async () => {
  const files = filesOf(directories[0]!);
  const tokens = await Promise.all(databases.map((_, node) => tokenAt(node, files)));
  expect(new Set(tokens.map(({ text }) => text))).toEqual(new Set([files.read('admin-token')]));
  expect(tokens[0]!.text).toStartWith('tga_');
});

test('a configured admin token counts on its node and is not the one of the installation', async () => {
  const files = directories.map(filesOf);
  const configured = 'a-configured-token';
  expect(await tokenAt(0, files[0]!, configured)).toEqual({ hash: hashKey(configured), text: configured });
  expect(files[0]!.read('admin-token')).toBe(configured);
  const other = await tokenAt(1, files[1]!);
  expect(other.text).toStartWith('tga_');
  const kept = await tokenAt(0, files[0]!); // without the setting, the file of this node has another token
  expect(kept).toEqual({ hash: other.hash, text: undefined });
});

test('a start that was interrupted after the file was written completes with the token of the file', async () => {
  const files = filesOf(directories[0]!);
  await files.write('admin-token', 'tga_from-the-interrupted-start');
  const { text } = await tokenAt(0, files);
  expect(text).toBe('tga_from-the-interrupted-start');
  expect(await new PostgresInstallation(databases[1]!).adminTokenHash()).toBe(hashKey(text!));
});

test('one of several nodes that start together makes the first account with its key', async () => {
  const files = directories.map(filesOf);
  const keys = await Promise.all(files.map((each, node) => keyAt(node, each)));
  const made = keys.filter((key) => key !== undefined);
  expect(made).toHaveLength(1);
  const store = commonRecords(new PostgresQueries(databases[0]!));
  const { items } = await store.listAccounts({ limit: 10 });
  expect(items.map(({ name, plan }) => [name, plan])).toEqual([['First account', 'enterprise']]);
  const stored = await store.findKeyByHash(hashKey(made[0]!));
  expect(stored).toMatchObject({ accountId: items[0]!.id, name: 'First key' });
  const audited = (await store.listAudit({ limit: 10 })).items.map(
    ({ action, actor }) => `${action} ${actor}`,
  );
  expect(audited).toEqual(['key-create first-start', 'account-create first-start']);
  expect(files.map((each) => each.read('first-key'))).toEqual(keys);
  expect(files.filter((each) => each.exists('first-key'))).toHaveLength(1);
  expect(await Promise.all(files.map((each, node) => keyAt(node, each)))).toEqual(keys);
});

test('a database with accounts from elsewhere gets no first account', async () => {
  const accounts = accountsOn(commonRecords(new PostgresQueries(databases[0]!)));
  const { id } = await accounts.create({ name: 'Migrated', plan: 'pro' }, 'admin');
  expect(await keyAt(1, filesOf(directories[1]!))).toBeUndefined();
  expect(
    (await commonRecords(new PostgresQueries(databases[0]!)).listAccounts({ limit: 9 })).items.map(
      (one) => one.id,
    ),
  ).toEqual([id]);
});

test('an account that exists has its key in the file, wherever the start was interrupted', async () => {
  const files = filesOf(directories[0]!);
  const installation = new PostgresInstallation(databases[0]!);
  const lost: Installation = Object.create(installation, {
    hasFirstAccount: { value: () => installation.hasFirstAccount() },
    claimFirstAccount: {
      value: async (...first: Parameters<Installation['claimFirstAccount']>) => {
        await installation.claimFirstAccount(...first);
        throw new Error('the connection was lost');
      },
    },
  });
  await expect(keyAt(0, files, lost)).rejects.toThrow('lost');
  const key = await keyAt(0, files);
  expect(await commonRecords(new PostgresQueries(databases[0]!)).findKeyByHash(hashKey(key!))).toBeDefined();
});

test('a node that was late keeps the key that its file had before', async () => {
  const files = filesOf(directories[1]!);
  await files.write('first-key', 'the key of another store');
  const late: Installation = Object.create(new PostgresInstallation(databases[1]!), {
    hasFirstAccount: { value: async () => false },
    claimFirstAccount: { value: async () => 'kept' },
  });
  expect(await keyAt(1, files, late)).toBe('the key of another store');
  expect(files.read('first-key')).toBe('the key of another store');
});
