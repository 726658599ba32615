import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { Database } from '../../../src/store/postgres/database.ts';
import { waitFor } from '../wait-for.ts';
import { installedBinaries } from './postgres-binaries.ts';
import { PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
let database: Database;

beforeAll(async () => {
  server = await PostgresServer.create();
  database = new Database({ url: server.url, maxConnections: 2, deadlineMs: 20_000 });
});
afterAll(async () => {
  await database.close();
  await server.remove();
});

const count = async (): Promise<unknown> =>
  (await database.first('SELECT count(*) AS count FROM kept'))?.count;

test('a pool serves again after the server was killed in the middle of a statement', async () => {
  await database.script('CREATE TABLE kept (n integer); INSERT INTO kept VALUES (1)');
  const slow = database.all('SELECT pg_sleep(600)').catch((error: unknown) => error);
  const other = database.all('SELECT 1');
  await other;
  await server.kill();
  expect(await slow).toMatchObject({ name: 'StoreProblem' });
  await waitFor(() => database.counts.open === 0);
  const waiting = count();
  await server.start();
  expect(await waiting).toBe(1);
});

test('a pool serves again after a restart of the server', async () => {
  await server.restart();
  await waitFor(() => database.counts.open === 0);
  expect(await count()).toBe(1);
});

test('a call to a server that is stopped ends at its deadline', async () => {
  await count();
  server.pause();
  const stuck = database.first('SELECT 1', [], { deadlineMs: 150 });
  await expect(stuck).rejects.toThrow('did not answer within 150 ms');
  server.resume();
  expect(await count()).toBe(1);
});

test('a server whose process is killed ends, even while it is paused, and leaves no files', async () => {
  const program = `
    import { PostgresServer } from '${import.meta.dir}/postgres-server.ts';
    const server = await PostgresServer.create({ fsync: false });
    server.pause();
    console.log(server.directory);
    setInterval(() => {}, 60_000);`;
  const owner = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  const { value } = await owner.stdout.getReader().read();
  const directory = Buffer.from(value!).toString().trim();
  const [pid] = readFileSync(`${directory}/data/postmaster.pid`, 'utf8').split('\n');
  const command = () =>
    existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
  expect(command()).toContain(directory);
  owner.kill('SIGKILL');
  await waitFor(() => !existsSync(directory));
  expect(command()).not.toContain(directory);
});

const complete = installedBinaries();
test.skipIf(!complete?.isComplete)('a pool moves to the standby that became the primary', async () => {
  const primary = await PostgresServer.create({ binaries: complete });
  const standby = await primary.standby();
  const first = primary.port;
  const second = standby.port;
  const url = primary.url.replace(`:${first}/`, `:${first},127.0.0.1:${second}/`);
  const both = new Database({ url, maxConnections: 2, deadlineMs: 20_000 });
  // A primary that stops waits for the standbys that follow it, and not for one that has yet to connect.
  const following = `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`;
  await waitFor(async () => (await both.first(following)) !== undefined);
  await both.script('CREATE TABLE moved (n integer)');
  await primary.stop();
  const refused = both.first('SELECT 1', [], { deadlineMs: 300 });
  await expect(refused).rejects.toThrow();
  await standby.promote();
  expect(await both.all('SELECT n FROM moved')).toEqual([]);
  await both.close();
  await standby.remove();
  await primary.remove();
});
