import { afterAll, expect, test } from 'bun:test';
import { TcpProxy } from '../../../test/support/postgres/tcp-proxy.ts';
import { Database } from './database.ts';
import { PostgresHealth, type ProbeConnection } from './postgres-health.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

const server = await postgresForTest();
const url = await server.create();
afterAll(() => server.drop(url));

const connect = (address: string) => () => new Database({ url: address, maxConnections: 1 });

test('checks within a second of a success share its write', async () => {
  const clock = { now: 0 };
  let writes = 0;
  const connection: ProbeConnection = { run: async () => ++writes, close: async () => {} };
  const health = new PostgresHealth({ connect: () => connection, process: 'p', now: () => clock.now });
  expect(health.silentMs).toBe(Number.POSITIVE_INFINITY);
  expect(await Promise.all([health.problem(), health.problem()])).toEqual([undefined, undefined]);
  clock.now = 999;
  await health.problem();
  expect({ writes, silentMs: health.silentMs }).toEqual({ writes: 1, silentMs: 999 });
  clock.now = 1_000;
  await health.problem();
  expect({ writes, silentMs: health.silentMs }).toEqual({ writes: 2, silentMs: 0 });
});

test('a connection that hangs delays neither the answer nor the recovery', async () => {
  const { hostname: host, port } = new URL(url);
  const proxy = new TcpProxy({ host, port: Number(port) });
  const clock = { now: 0 };
  const parts = { connect: connect(proxy.urlOf(url)), process: 'cut', answerMs: 1_000, now: () => clock.now };
  const health = new PostgresHealth(parts);
  expect(await health.problem()).toBeUndefined();
  proxy.blackHole();
  clock.now += 1_000;
  expect(await health.problem()).toContain('did not answer within 900 ms');
  expect(await health.problem()).toContain('No connection to Postgres'); // new connections hang too
  proxy.heal();
  const patient = new PostgresHealth({ ...parts, answerMs: 20_000 });
  expect(await patient.problem()).toBeUndefined();
  await patient.close();
  await health.close();
  proxy.stop();
});

test('reports a read-only database and a host that refuses connections', async () => {
  const readOnly = await server.create();
  const database = new Database({ url: readOnly, maxConnections: 1 });
  const name = new URL(readOnly).pathname.slice(1);
  await database.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const refused = new PostgresHealth({ connect: connect(readOnly), process: 'read-only' });
  expect(await refused.problem()).toContain('refuses writes');
  await refused.close();
  await database.close();
  await server.drop(readOnly);
  const away = new PostgresHealth({ connect: connect('postgres://a:b@127.0.0.1:1/none'), process: 'away' });
  expect(await away.problem()).toContain('cannot be reached');
  await away.close();
});

test('the probes of stopped and lost processes are removed', async () => {
  const database = new Database({ url, maxConnections: 1 });
  await database.run(
    `INSERT INTO probe (process, at) VALUES ('lost', now_ms() - 4000000), ('quiet', now_ms())`,
  );
  const health = new PostgresHealth({ connect: connect(url), process: 'mine' });
  await health.problem();
  const names = async () =>
    (await database.all('SELECT process FROM probe ORDER BY 1')).map((row) => row.process);
  expect(await names()).toEqual(['mine', 'quiet']);
  await health.close();
  expect(await names()).toEqual(['quiet']);
  expect(await health.problem()).toBe('The store is closed.');
  await database.close();
});
