import { afterAll, expect, test } from 'bun:test';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../../../test/support/postgres/postgres-server.ts';
import { authority, goodHost, otherHost } from '../../../upstream/http-client/testing/certificates.ts';
import { openConnection } from './open-connection.ts';
import { parseConnectionUrl } from './parse-connection-url.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-tls-'));
const root = join(directory, 'authority.pem');

writeFileSync(root, authority);
const server = await PostgresServer.create({ fsync: false });
await present(goodHost);
afterAll(async () => {
  await server.remove();
  rmSync(directory, { recursive: true });
});

/** Restarts the server with a certificate. */
async function present({ cert, key }: typeof goodHost): Promise<void> {
  const { uid, gid } = statSync(server.data);
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    writeFileSync(join(server.data, name), text, { mode: 0o600 });
    chownSync(join(server.data, name), uid, gid);
  }
  server.configure({ ssl: 'on' });
  await server.restart();
}

/** Says whether the connection is encrypted. */
async function encrypted(
  query: string,
  { host = '127.0.0.1', database = 'postgres' } = {},
): Promise<unknown> {
  const url = `${server.url.replace('127.0.0.1', host).replace(/postgres$/, database)}?${query}`;
  try {
    const connection = await openConnection(parseConnectionUrl(url), { timeoutMs: 20_000 });
    const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const { rows } = await connection.query({ text });
    connection.end();
    return rows[0]?.ssl;
  } catch (error) {
    return (error as Error).message;
  }
}

const refused = expect.stringMatching(/certificate/);
const trusted = `sslrootcert=${root}`;

test.each([
  ['sslmode=disable', false],
  ['sslmode=prefer', true],
  ['sslmode=require', true],
  ['sslmode=verify-ca', refused],
  [`sslmode=verify-ca&${trusted}`, true],
  [`sslmode=verify-full&${trusted}`, true],
])('a server with its own certificate: %s', async (query, expected) => {
  expect(await encrypted(query)).toEqual(expected);
  expect(await encrypted(query, { host: 'localhost' })).toEqual(expected);
});

test("only verify-full refuses another host's certificate", async () => {
  await present(otherHost);
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await encrypted('sslmode=require', { host })).toBe(true);
    expect(await encrypted(`sslmode=verify-ca&${trusted}`, { host })).toBe(true);
    expect(await encrypted(`sslmode=verify-full&${trusted}`, { host })).toEqual(refused);
    expect(await encrypted('sslmode=verify-ca', { host })).toEqual(refused);
  }
});

test('a server that requires a certificate of its client gets the one that the URL names', async () => {
  const files = { 'client.pem': goodHost.cert, 'client.key': goodHost.key, 'other.key': otherHost.key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  writeFileSync(join(server.data, 'root.crt'), authority);
  const rules = join(server.data, 'pg_hba.conf');
  const required = 'hostssl template1 all all scram-sha-256 clientcert=verify-ca\n';
  writeFileSync(rules, required + readFileSync(rules, 'utf8'));
  server.configure({ ssl_ca_file: "'root.crt'" });
  await server.restart();
  const of = (key: string) =>
    `sslmode=require&sslcert=${join(directory, 'client.pem')}&sslkey=${join(directory, key)}`;
  const place = { database: 'template1' };
  expect(await encrypted(of('client.key'), place)).toBe(true);
  expect(await encrypted('sslmode=require', place)).toMatch(/certificate/);
  expect(await encrypted(of('other.key'), place)).not.toBe(true);
  expect(await encrypted(of('absent.key'), place)).toMatch(/ENOENT|no such file/);
});

test('only prefer accepts a server without TLS', async () => {
  server.configure({ ssl: 'off' });
  await server.restart();
  expect(await encrypted('sslmode=prefer')).toBe(false);
  expect(await encrypted('sslmode=require')).toContain('the server does not support TLS');
});
