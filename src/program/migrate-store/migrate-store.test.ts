import { afterAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { Posting } from '../../money/ledger/ledger-store.ts';
import { Database } from '../../store/postgres/database.ts';
import { PostgresResponses } from '../../store/postgres/responses/postgres-responses.ts';
import { PostgresStoredBytes } from '../../store/postgres/responses/postgres-stored-bytes.ts';
import { postgresForTest } from '../../store/postgres/testing/postgres-for-test.ts';
import { formatSpoolLine } from '../../store/spool/spool-lines.ts';
import { LOCK_FILE } from '../../store/sqlite/directory-lock.ts';
import { migrate } from '../../store/sqlite/migrate.ts';
import { migrations } from '../../store/sqlite/migrations.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { SqliteConnection } from '../../store/sqlite/sqlite-connection.ts';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { StoreProblem } from '../../store/store-problem.ts';
import { migrateStore } from './migrate-store.ts';
import { movedTables } from './moved-tables.ts';
import { fillStore, NOW } from './testing/fill-store.ts';

// Needs the tables of all parts of the Postgres store.

const { directory: place, remove } = temporaryDirectory();
const pristine = join(place, 'pristine');
let copies = 0;

const temporary = join(place, 'temporary');
const usualTemporary = process.env.TMPDIR;

mkdirSync(temporary);
process.env.TMPDIR = temporary;
const filled = await fillStore(pristine);
afterAll(() => {
  if (usualTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usualTemporary;
  remove();
});

const silent = () => {};

/** Copies the filled directory, and makes an empty database. */
async function start() {
  const from = join(place, `copy-${copies++}`);
  cpSync(pristine, from, { recursive: true });
  const to = await (await postgresForTest()).create();
  return { from, to, database: new Database({ url: to, maxConnections: 2 }) };
}

async function countsOf(database: Database): Promise<Record<string, unknown>> {
  const counts: Record<string, unknown> = {};
  for (const name of [...movedTables.map((table) => table.name), 'account_storage'])
    counts[name] = (await database.first(`SELECT count(*) AS rows FROM ${name}`))!.rows;
  return counts;
}

test('moves everything with a ledger that verifies on both sides', async () => {
  const { from, to, database } = await start();
  const { moved, wasComplete, verified } = await migrateStore({ from, to, report: silent });
  expect(wasComplete).toBe(false);
  expect(verified).toEqual(filled.verified);
  const without = Object.keys(moved).filter((name) => moved[name] === 0);
  expect(without).toEqual(['quarantine', 'unconfirmed']);
  const hashes = await database.all('SELECT hash FROM api_key ORDER BY sequence');
  expect(hashes.map(({ hash }) => hash)).toEqual(filled.keyHashes);
  const installation = await database.first('SELECT admin_token_hash FROM installation');
  expect(installation).toMatchObject({ admin_token_hash: hashKey('tga_sample_token') });
  const entries = await database.all('SELECT number, id, text, hash FROM entry ORDER BY number');
  const { connection, close } = opened(from);
  expect(entries).toEqual(connection.all('SELECT number, id, text, hash FROM entry ORDER BY number'));
  expect(
    await database.all('SELECT account_id, collection, key, token, body_hash, answer FROM idempotency_key'),
  ).toEqual(
    connection.all('SELECT account_id, collection, key, token, body_hash, answer FROM idempotency_key'),
  );
  const lines = await database.all(
    `SELECT encode(lines, 'hex') AS lines FROM request_group ORDER BY sequence`,
  );
  expect(lines).toEqual(
    connection.all('SELECT lower(hex(lines)) AS lines FROM request_group ORDER BY sequence'),
  );
  close();
  await database.close();
});

test('moves responses, their conversations and their stored bytes', async () => {
  const { from, to, database } = await start();
  await migrateStore({ from, to, report: silent });
  const responses = new PostgresResponses(database);
  for (const { id, keyId, envelope } of filled.responses) {
    const wanted = { id, keyId, now: NOW };
    expect(await responses.loadEnvelope(wanted)).toBe(envelope);
    expect(await responses.loadTurns(wanted)).toEqual(filled.turns[id]!);
  }
  const bytes = new PostgresStoredBytes(database);
  expect(await bytes.storedBytes(filled.accountId)).toBe(filled.storedBytes);
  while ((await responses.sweepResponses({ now: NOW + 9e9, limit: 100 })) > 0);
  const left = ['batch', 'conversation', 'background_response'].map((table) => `SELECT stored FROM ${table}`);
  const row = await database.first(`SELECT sum(stored) AS bytes FROM (${left.join(' UNION ALL ')}) AS kept`);
  expect(await bytes.storedBytes(filled.accountId)).toBe(Number(row!.bytes));
  await database.close();
});

/** Tables whose rows are the same on both sides, with the columns that order them. */
const EQUAL_TABLES = {
  conversation: 'id',
  conversation_part: 'conversation_id, part',
  background_response: 'id',
  background_frames: 'response_id, part',
  saved_prompt: 'id',
  provider_drain: 'provider',
  stored_setting: 'kind, id',
  budget: 'id',
  device_sign_in: 'id',
  client_token: 'id',
};

test('moves conversations, background work, prompts, settings, drains, budgets and sign-ins as they are', async () => {
  const { from, to, database } = await start();
  await migrateStore({ from, to, report: silent });
  const { connection, close } = opened(from);
  const texts = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map((row) =>
      Object.entries(row)
        .map(([column, value]) => `${column} ${value === null ? null : String(value)}`)
        .sort(),
    );
  for (const [table, order] of Object.entries(EQUAL_TABLES)) {
    const columns = Object.keys(movedTables.find(({ name }) => name === table)!.columns);
    const quoted = columns.map((column) => `"${column}"`).join(', ');
    const select = `SELECT ${quoted} FROM ${table} ORDER BY ${order}`;
    const moved = texts(await database.all(select));
    expect([table, moved.length > 0, moved]).toEqual([table, true, texts(connection.all(select))]);
  }
  close();
  await database.close();
});

test('continues after an interruption without adding anything twice', async () => {
  const { from, to, database } = await start();
  for (const last of ['audit', 'turn', 'open_hold']) {
    const report = ({ table }: { table: string }) => {
      if (table === last) throw new Error('interrupted');
    };
    await migrateStore({ from, to, report }).then(
      () => expect.unreachable(),
      (error) => expect(error.message).toBe('interrupted'),
    );
  }
  await migrateStore({ from, to, report: silent });
  const counts = await countsOf(database);
  const other = await start();
  await migrateStore({ from: other.from, to: other.to, report: silent });
  expect(await countsOf(other.database)).toEqual(counts);
  await database.run(`DELETE FROM alert_occasion`);
  expect(await migrateStore({ from, to, report: silent })).toMatchObject({ wasComplete: true, moved: {} });
  expect(await countsOf(database)).toEqual({ ...counts, alert_occasion: 0 });
  await Promise.all([database.close(), other.database.close()]);
});

test('leaves the data directory of an earlier release for a start of that release', async () => {
  const from = unpackRelease(oldestRelease);
  const to = await (await postgresForTest()).create();
  const before = contentOf(from);
  const schema = () => {
    const { connection, close } = opened(from);
    const row = connection.first('SELECT MAX(number) AS number FROM migration');
    close();
    return row?.number;
  };
  expect(schema()).toBeLessThan(migrations.at(-1)!.number);
  const { verified } = await migrateStore({ from, to, report: silent });
  expect(verified.faults).toEqual([]);
  expect(verified.accounts).toBeGreaterThan(0);
  expect(contentOf(from)).toEqual(before);
  expect(readdirSync(temporary)).toEqual([]);
  const connection = new SqliteConnection(join(from, 'tollgate.db'));
  const released = migrations.slice(0, Number(schema()));
  expect(() => migrate(connection, { migrations: released, now: NOW })).not.toThrow();
  connection.close();
});

test('refuses a directory with a server or with requests that are not billed', async () => {
  const { from, to, database } = await start();
  const store = await openSqliteStore({ directory: from });
  await migrateStore({ from, to, report: silent }).then(
    () => expect.unreachable(),
    (error) => expect(error.message).toContain('Another server is running'),
  );
  await store.close();
  const connection = new SqliteConnection(join(from, 'tollgate.db'));
  connection.run('UPDATE batch_item SET submission = NULL');
  connection.close();
  await migrateStore({ from, to, report: silent }).then(
    () => expect.unreachable(),
    (error) => expect(error.message).toContain('not billed yet'),
  );
  await database.close();
});

test('refuses a database of another installation or a missing directory', async () => {
  const { from, to, database } = await start();
  await migrateStore({ from, to, report: silent });
  const other = join(place, 'other');
  await fillStore(other);
  await migrateStore({ from: other, to, report: silent }).then(
    () => expect.unreachable(),
    (error) => expect(error.message).toContain('belongs to another installation'),
  );
  const nowhere = join(place, 'nowhere');
  mkdirSync(nowhere);
  writeFileSync(join(nowhere, 'file'), '');
  await migrateStore({ from: nowhere, to, report: silent }).then(
    () => expect.unreachable(),
    (error) => expect(error.message).toContain('does not exist'),
  );
  await database.close();
});

test('moves a directory with a copy of a damaged spool, whose settlements are billed', async () => {
  const { from, to, database } = await start();
  const posting = { hold: { order: { requestId: 'req_1' } } } as Posting;
  writeFileSync(join(from, 'settlements.spool.damaged-17'), `damaged\n${formatSpoolLine(posting)}`);
  expect(await migrateStore({ from, to, report: silent })).toMatchObject({ wasComplete: false });
  writeFileSync(join(from, 'settlements.spool'), formatSpoolLine(posting));
  await expect(migrateStore({ from, to, report: silent })).rejects.toThrow('not billed yet');
  await database.close();
});

test('refuses a directory that was used again after its migration', async () => {
  const { from, to, database } = await start();
  await migrateStore({ from, to, report: silent });
  const connection = new SqliteConnection(join(from, 'tollgate.db'));
  connection.run('UPDATE account SET version = version + 1');
  connection.close();
  await expect(migrateStore({ from, to, report: silent })).rejects.toThrow('was changed since its migration');
  await database.close();
});

test('names a database that cannot be reached, without its password', async () => {
  const { from, database } = await start();
  const to = 'postgres://tollgate:sesame@127.0.0.1:1/none';
  await migrateStore({ from, to, report: silent }).then(
    () => expect.unreachable(),
    (error) => {
      expect(error).toBeInstanceOf(StoreProblem);
      expect(error.message).not.toContain('sesame');
    },
  );
  await database.close();
});

/** Tables whose content is derived on the other side, or is of use in a data directory only. */
const NOT_MOVED = [
  'account_storage',
  'attempt',
  'confirmed',
  'migration',
  'probe',
  'summed',
  'traffic_counted',
  'traffic_merge',
  'merged_traffic',
  // Answers are kept for minutes. A retry after the move makes its answer anew.
  'recorded_answer',
  'recorded_part',
];

test('knows every table of a data directory', () => {
  const { connection, close } = opened(pristine);
  const tables = connection.all(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  const sources = movedTables.map(({ name, from = name }) => from).join(' ');
  const unknown = tables
    .map(({ name }) => String(name))
    .filter((name) => !NOT_MOVED.includes(name) && !new RegExp(`\\b${name}\\b`).test(sources));
  close();
  expect(unknown).toEqual([]);
});

const releases = join(import.meta.dir, '../../../test/fixtures/data-directories');
const oldestRelease = readdirSync(releases)
  .sort()
  .find((name) => /^\d/.test(name))!;

/** Unpacks the data directory that a release has left, as the fixtures keep it. */
function unpackRelease(release: string): string {
  const packed = join(releases, release);
  const directory = join(place, `of-${release}`);
  mkdirSync(directory);
  for (const name of readdirSync(packed).filter((each) => each.endsWith('.gz')))
    writeFileSync(
      join(directory, name.slice(0, -'.gz'.length)),
      gunzipSync(readFileSync(join(packed, name))),
    );
  return directory;
}

/** Returns the bytes of every file, except the lock. */
const contentOf = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory)
      .filter((name) => name !== LOCK_FILE)
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex'),
      ]),
  );

function opened(directory: string) {
  const connection = new SqliteConnection(join(directory, 'tollgate.db'));
  return { connection, close: () => connection.close() };
}
