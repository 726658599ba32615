import { expect, test } from 'bun:test';
import type { Finding } from './finding.ts';
import type { PostgresFacts } from './postgres-facts.ts';
import { postgresFindings } from './postgres-findings.ts';

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

test('accepts a pool with an address for notices beside a synchronous standby', () => {
  expect(problems({ isPooled: true, synchronousNames: 'b', standbys: 1 }, { hasListenUrl: true })).toEqual(
    [],
  );
});
