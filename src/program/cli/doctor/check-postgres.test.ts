import { afterAll, expect, test } from 'bun:test';
import { openConnection } from '../../../store/postgres/connection/open-connection.ts';
import { parseConnectionUrl } from '../../../store/postgres/connection/parse-connection-url.ts';
import { PostgresError } from '../../../store/postgres/connection/postgres-error.ts';
import { postgresForTest } from '../../../store/postgres/testing/postgres-for-test.ts';
import { runCaptured } from '../testing/run-captured.ts';
import { checkPostgresSpace } from './check-postgres-space.ts';
import { databaseTlsFindings } from './database-tls-findings.ts';
import type { Finding } from './finding.ts';
import type { PostgresFacts } from './postgres-facts.ts';
import { postgresFindings } from './postgres-findings.ts';

const postgres = await postgresForTest();
const url = await postgres.create();
afterAll(() => postgres.drop(url));

async function examine(address: string) {
  const args = ['doctor', '--json', '--port', '0', '--data', '/nowhere/tollgate'];
  const { printed, remarked } = await runCaptured(args, { DATABASE_URL: address });
  const { findings } = JSON.parse(printed) as { findings: Finding[] };
  return { text: printed + remarked, store: findings.filter(({ check }) => check === 'store') };
}

test('examines a Postgres server and does not show its password', async () => {
  const { store, text } = await examine(url);
  const messages = store.map(({ message }) => message).join('\n');
  for (const said of [
    /has version 1\d.* and needs no extension/,
    /may create tables/,
    /the schema has version \d+, as this program/,
    /a round trip takes [\d.]+ ms/,
    /uses up to \d+ of \d+ connections/,
    /lead to the server itself/,
    /no standby is connected/,
    /the database's clock, which decides/,
    /notices arrive/,
    /has space for new rows/,
  ])
    expect(messages).toMatch(said);
  expect(text).not.toContain(new URL(url).password);
});

test('finds a full disk of the server, and leaves no table behind', async () => {
  const full = new PostgresError(
    new Map([
      ['C', '53100'],
      ['M', 'could not extend file'],
    ]),
  );
  expect(await checkPostgresSpace({ simple: () => Promise.reject(full) })).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/new rows cannot be written.*no disk space left/),
    mend: expect.stringMatching(/free space/),
  });
  await examine(url);
  const connection = await openConnection(parseConnectionUrl(url), { timeoutMs: 5_000 });
  const { rows } = await connection.query({ text: `SELECT 1 FROM pg_class WHERE relname LIKE 'doctor_%'` });
  connection.end();
  expect(rows).toEqual([]);
});

test('warns of a database on another machine without TLS', () => {
  const statusOf = (rest: string) =>
    databaseTlsFindings(`postgres://u:sesame@${rest}`).map(({ check }) => check);
  for (const rest of ['db.example/d', 'db.example/d?sslmode=disable', '127.0.0.1,10.0.0.5/d?sslmode=prefer'])
    expect([rest, statusOf(rest)]).toEqual([rest, ['database_tls']]);
  for (const rest of [
    '127.0.0.1/d',
    'localhost/d',
    '[::1]/d',
    '/d?host=/run/postgresql',
    'db.example/d?sslmode=require',
  ])
    expect([rest, statusOf(rest)]).toEqual([rest, []]);
  expect(JSON.stringify(databaseTlsFindings('postgres://u:sesame@db.example/d'))).not.toContain('sesame');
});

test('says why a login fails and shows the password in no form', async () => {
  const wrong = Object.assign(new URL(url), { password: encodeURIComponent('p@ss wörd%') });
  const { store, text } = await examine(wrong.href);
  expect(store).toEqual([
    expect.objectContaining({ status: 'fail', message: expect.stringMatching(/login|28P01/) }),
  ]);
  for (const form of [wrong.password, decodeURIComponent(wrong.password)]) expect(text).not.toContain(form);
});

const facts: PostgresFacts = {
  version: '17.2',
  major: 17,
  role: 'tollgate',
  database: 'tollgate',
  mayCreate: true,
  connectionLimit: 97,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  synchronousNames: '',
  standbys: 0,
  lagBytes: null,
  schema: 21,
  isPooled: false,
  latencyMs: 0.4,
  clockDifferenceMs: 3,
};
const use = {
  place: 'db:5432',
  workers: 1,
  connectionsOfProcess: 8,
  hasListenUrl: false,
  newestMigration: 21,
};
const problems = (changed: Partial<PostgresFacts>, usedAs = {}) =>
  postgresFindings({ ...facts, ...changed }, { ...use, ...usedAs }).filter(({ status }) => status !== 'ok');

test('finds no fault with a usual server', () => {
  expect(problems({})).toEqual([]);
});

test.each<[Partial<PostgresFacts>, object, Finding['status'], RegExp]>([
  [{ version: '14.9', major: 14 }, {}, 'fail', /14\.9/],
  [{ version: '19.0', major: 19 }, {}, 'warn', /19\.0/],
  [{ mayCreate: false }, {}, 'fail', /lacks the permission CREATE/],
  [{ schema: 30 }, {}, 'warn', /this program knows 21/],
  [{ latencyMs: 42 }, {}, 'warn', /42\.0 ms/],
  [{}, { workers: 8 }, 'warn', /64 of 97 connections/],
  [{ fsync: 'off' }, {}, 'warn', /fsync off/],
  [
    { fullPageWrites: 'off', synchronousCommit: 'off' },
    {},
    'warn',
    /full_page_writes and synchronous_commit/,
  ],
  [{ standbys: 1, lagBytes: 4096 }, {}, 'warn', /asynchronous replication: 1 standby, the lag is 4096 bytes/],
  [{ synchronousNames: 'b' }, {}, 'warn', /commits wait/],
  [{ isPooled: true }, {}, 'warn', /PgBouncer/],
])('warns of %j', (changed, usedAs, status, message) => {
  expect(problems(changed, usedAs)).toEqual([
    expect.objectContaining({ status, message: expect.stringMatching(message) }),
  ]);
});

test('accepts a pool with an address for notices, and a synchronous standby', () => {
  expect(problems({ isPooled: true, synchronousNames: 'b', standbys: 1 }, { hasListenUrl: true })).toEqual(
    [],
  );
});
