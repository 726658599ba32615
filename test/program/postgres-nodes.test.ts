import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import { temporaryDirectory } from '../../src/store/sqlite/testing/temporary-directory.ts';
import type { Json } from '../support/call.ts';
import { runProgram, spawnProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

setDefaultTimeout(60_000);
const { directory, remove } = temporaryDirectory();
afterAll(remove);
const postgres = await postgresForTest();
const address = await postgres.create();
const catalog = { default: false, models: [ableModel('gpt-4.1', [simulated('openai-chat')])] };
const PASSWORD = 'p@ss/wörd %';
const forms = [PASSWORD, encodeURIComponent(PASSWORD)];

/** Returns the address with another login or database. */
const addressWith = (parts: Partial<Record<'username' | 'password' | 'pathname', string>>): string =>
  Object.assign(new URL(address), parts).href;

describe('two nodes with different configurations', () => {
  let first: TestServer;
  let second: TestServer;
  const start = (usage_grace_s: number) =>
    startServer({
      config: { catalog, limits: { usage_grace_s } },
      environment: { DATABASE_URL: address, TOLLGATE_ADMIN_TOKEN: 'one-token-for-both-nodes-of-this-test' },
    });
  const nodes = async (): Promise<Json[]> =>
    (await first.call('/admin/v1/nodes', { headers: authorization })).body.data;
  const authorization = { authorization: 'Bearer one-token-for-both-nodes-of-this-test' };

  beforeAll(async () => {
    first = await start(0.3);
    second = await start(0.2);
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
  });

  test('are listed with a mark on the other one', async () => {
    expect((await nodes()).map(({ config_differs }) => config_differs)).toEqual([false, true]);
    const options = ['--url', first.url, '--admin-token', 'one-token-for-both-nodes-of-this-test'];
    const { code, stdout, stderr } = await runProgram(['nodes', ...options]);
    expect(code).toBe(0);
    expect(stdout.match(/\(differs\)/g)).toEqual(['(differs)']);
    expect(stderr).toContain('1 of 2 nodes have another configuration');
  });

  test('show in the metrics and in one line of the log', async () => {
    const metrics = async () => (await first.call('/metrics')).text;
    await waitFor(async () => (await metrics()).includes('tollgate_nodes{configuration="different"} 1'));
    expect(await metrics()).toContain('tollgate_nodes{configuration="same"} 1');
    const reported = () => first.log().match(/"event":"node-configuration-differs"/g) ?? [];
    await waitFor(() => reported().length > 0);
    expect(reported()).toHaveLength(1);
  });

  test('are examined by doctor, which does not show the password', async () => {
    const { body, text } = await first.call('/admin/v1/doctor', { headers: authorization });
    expect(body.findings.some(({ message }: Json) => /needs no extension/.test(message))).toBe(true);
    expect(text).not.toContain(new URL(address).password);
  });

  test('leave the list at once after an orderly stop, and stay in it for an hour if another node closed them', async () => {
    second.signal('SIGINT');
    expect(await second.exited).toBe(130);
    expect((await nodes()).map(({ config_differs }) => config_differs)).toEqual([false]);
    const database = new Database({ url: address, maxConnections: 1 });
    const close = `INSERT INTO node (id, started_at, heartbeat, version, config_hash, host, closed_at)
      VALUES ($1, 1, 1, '1', 'x', 'h', now_ms() - $2::bigint * 60000)`;
    await database.run(close, ['node_recent', 59]);
    await database.run(close, ['node_old', 61]);
    await database.close();
    const closed = (await nodes()).filter((node) => node.closed !== null);
    expect(closed.map(({ id }) => id)).toEqual(['node_recent']);
  });
});

describe('a start without a usable database ends with 1 and one line', () => {
  const role = `limited_${process.pid}`;
  beforeAll(async () => {
    const database = new Database({ url: address, maxConnections: 1 });
    await database.script(`CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    await database.close();
  });

  test.each<[string, string, RegExp]>([
    ['a wrong password', addressWith({ password: encodeURIComponent(PASSWORD) }), /refuses the login/],
    [
      'a database that does not exist',
      addressWith({ username: role, password: encodeURIComponent(PASSWORD), pathname: 'missing' }),
      /no such database/,
    ],
    [
      'a missing permission',
      addressWith({ username: role, password: encodeURIComponent(PASSWORD) }),
      new RegExp(`The role ${role} lacks the permission CREATE`),
    ],
  ])('%s', async (_, databaseUrl, reason) => {
    const options = ['--port', '0', '--data', join(directory, 'refused')];
    const { code, stdout, stderr } = await runProgram(['serve', ...options], { DATABASE_URL: databaseUrl });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(reason)]);
    for (const form of forms) expect(stdout + stderr).not.toContain(form);
  });

  test('a server that does not answer is reported every five seconds', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    const log = await runUntilAwaited(`postgres://tollgate:${forms[1]}@127.0.0.1:${silent.port}/x`);
    silent.stop(true);
    expect(log).toContain(`Waiting for Postgres at 127.0.0.1:${silent.port}`);
    for (const form of forms) expect(log).not.toContain(form);
  });
});

async function runUntilAwaited(databaseUrl: string): Promise<string> {
  const options = ['--port', '0', '--data', join(directory, 'silent')];
  const program = spawnProgram(['serve', ...options], { DATABASE_URL: databaseUrl });
  await waitFor(() => program.hasEnded() || program.stdout().includes('database-awaited'), 30_000);
  program.signal('SIGKILL');
  await program.exited;
  return program.stdout() + program.stderr();
}
