import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import { bearer, call, chatBody, type Json } from '../support/call.ts';
import { fullTest } from '../support/full-test.ts';
import { TcpProxy } from '../support/postgres/tcp-proxy.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

// A server with two workers starts three processes.
setDefaultTimeout(90_000);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-workers-'));
const upstream = startRecordingUpstream();
const postgres = await postgresForTest();
const address = await postgres.create();
const { hostname, port } = new URL(address);
const proxy = new TcpProxy({ host: hostname, port: Number(port) });
afterAll(async () => {
  proxy.stop();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

const config = sampleConfig(upstream.url);
const start = async ({ url, terminal = false }: { url?: string; terminal?: boolean } = {}) =>
  startServer({
    config,
    terminal,
    options: ['--workers', '2'],
    environment: { DATABASE_URL: url ?? (await postgres.create()) },
  });

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
const placeOf = (pid: number): string =>
  /(?<=^TOLLGATE_WORKER=).*/m.exec(readFileSync(`/proc/${pid}/environ`, 'utf8').replaceAll('\0', '\n'))![0];
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

const openNodes = async (server: TestServer): Promise<Json[]> =>
  (await server.admin('GET', '/nodes')).body.data.filter(({ closed }: Json) => closed === null);
const untilBoth = (server: TestServer) => waitFor(async () => (await openNodes(server)).length === 2, 60_000);
/** The fetches of this process reuse connections, which belong to one worker. */
const onNewConnection = (server: TestServer, path: string) =>
  call(server.url + path, { headers: { connection: 'close' } });

describe('a server with two workers', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({ url: proxy.urlOf(address) });
    await untilBoth(server);
  });
  afterAll(() => server.stop());

  test('has one port and lists one node for each worker', async () => {
    const nodes = await openNodes(server);
    expect(nodes.map(({ worker }) => worker).sort()).toEqual([1, 2]);
    expect(new Set(nodes.map(({ config_hash }) => config_hash)).size).toBe(1);
    expect(nodes.map(({ config_differs }) => config_differs)).toEqual([false, false]);
    expect(childrenOf(server.pid).map(placeOf).sort()).toEqual(['1/2', '2/2']);
  });

  test('keeps its files in the data directory, and the spools in one directory for each worker', async () => {
    const places = ['.', 'worker-1', 'worker-2'];
    const having = (name: string) =>
      places.filter((place) => existsSync(join(server.dataDirectory, place, name)));
    await waitFor(() => having('settlements.spool').length === 2);
    for (const name of ['admin-token', 'first-key', 'address'])
      expect({ name, result: having(name) }).toEqual({ name, result: ['.'] });
    expect(having('settlements.spool')).toEqual(['worker-1', 'worker-2']);
  });

  test('spreads connections over its workers, and any of them shows the metrics of all', async () => {
    const workersInMetrics = async () => {
      await onNewConnection(server, '/v1/models');
      const { text } = await onNewConnection(server, '/metrics');
      return new Set(
        [...text.matchAll(/^tollgate_requests_total\{worker="(\d)".*/gm)].map(([, worker]) => worker),
      );
    };
    await waitFor(async () => (await workersInMetrics()).size === 2);
    for (let asked = 0; asked < 10; asked++) {
      const { text } = await onNewConnection(server, '/metrics');
      for (const worker of [1, 2])
        expect(text).toMatch(new RegExp(`^process_start_time_seconds\\{worker="${worker}"`, 'm'));
      expect(text.match(/^# TYPE process_start_time_seconds /gm)).toHaveLength(1);
    }
  });

  test('answers for the providers of all workers', async () => {
    expect((await server.admin('POST', '/providers/hidden-openai-chat/drain')).status).toBe(200);
    const headers = { ...bearer(server.adminToken), connection: 'close' };
    const isDrained = async () => {
      const { body } = await call(`${server.url}/admin/v1/providers`, { headers });
      return body.data.find(({ id }: Json) => id === 'hidden-openai-chat').health === 'drained';
    };
    await waitFor(isDrained);
    expect((await server.admin('POST', '/providers/hidden-openai-chat/undrain')).status).toBe(200);
    await waitFor(async () => !(await isDrained()));
  });

  fullTest('refuses a second server on its data directory, and one on its port', async () => {
    const runRefused = async (data: string, port: string) => {
      const options = ['--workers', '2', '--data', data, '--port', port, '--config', server.configFile];
      return runProgram(['serve', ...options], { DATABASE_URL: address });
    };
    const second = await runRefused(server.dataDirectory, '0');
    expect(second.code).toBe(1);
    expect(second.stderr.match(/is running on the data directory/g)).toEqual([expect.anything()]);
    const onPort = await runRefused(join(directory, 'port'), new URL(server.url).port);
    expect(onPort.code).toBe(1);
    expect(onPort.stderr.match(/is in use/g)).toEqual(['is in use']);
    expect(onPort.stderr.trim().split('\n')).toHaveLength(1);
  });

  test('reloads all workers on SIGHUP', async () => {
    const before = (await openNodes(server))[0]!.config_hash;
    server.configure({ ...config, limits: { usage_grace_s: 0.4 } });
    server.signal('SIGHUP');
    await waitFor(async () => (await openNodes(server)).every(({ config_hash }) => config_hash !== before));
    expect(new Set((await openNodes(server)).map(({ config_hash }) => config_hash)).size).toBe(1);
  });

  test('replaces a killed worker, which bills what its spool holds', async () => {
    const key = await server.createKey('payg');
    await server.purchase(key.account, 5);
    const slow = answerSlowly();
    upstream.answer('hidden-test-small', slow.answer);
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(key.key),
      body: JSON.stringify(chatBody('test-small', { stream: true })),
    });
    await waitFor(() => upstream.models().includes('hidden-test-small'));
    proxy.cut();
    slow.release();
    expect(await response.text()).toContain('[DONE]');
    const spooled = (pid: number) =>
      readFileSync(
        join(server.dataDirectory, `worker-${placeOf(pid)[0]}`, 'settlements.spool'),
        'utf8',
      ).includes('req_');
    const [victim] = childrenOf(server.pid).filter(spooled);
    process.kill(victim!, 'SIGKILL');
    await waitFor(() => server.log().includes('"event":"worker-started"'));
    expect(server.log()).toMatch(new RegExp(`"event":"worker-ended",.*"pid":${victim},.*"signal":"SIGKILL"`));
    proxy.heal();
    const entries = async (): Promise<Json[]> =>
      (await server.admin('GET', `/accounts/${key.account}/ledger`)).body.data ?? [];
    await waitFor(
      async () => (await entries()).some(({ receipt }) => receipt?.outcome === 'complete'),
      60_000,
    );
    await untilBoth(server);
    expect(childrenOf(server.pid)).toHaveLength(2);
  });

  test('drains all workers on SIGTERM and ends with 0', async () => {
    const workers = childrenOf(server.pid);
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(workers.filter(isAlive)).toEqual([]);
    expect(server.log().match(/"event":"stopped"/g)).toHaveLength(2);
  });
});

describe('a server with two workers on a terminal', () => {
  fullTest('shows its banner once and ends with 130 after SIGINT', async () => {
    const server = await start({ terminal: true });
    await untilBoth(server);
    expect(server.log().match(/Tollgate is ready/g)).toHaveLength(1);
    server.signal('SIGINT');
    expect(await server.exited).toBe(130);
    await server.stop();
  });
});

describe('the workers of a supervisor', () => {
  /** Starts a server and leaves a request open on it. */
  async function withOpenRequest() {
    const server = await start();
    await untilBoth(server);
    const workers = childrenOf(server.pid);
    const slow = answerSlowly();
    upstream.answer('hidden-test-plain', slow.answer);
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(server.firstKey),
      body: JSON.stringify(chatBody('test-plain', { stream: true })),
    });
    return { server, workers, response, release: slow.release };
  }

  test('finish their requests and end if the supervisor is killed', async () => {
    const { server, workers, response, release } = await withOpenRequest();
    server.signal('SIGKILL');
    await server.exited;
    release();
    expect(await response.text()).toContain('[DONE]');
    await waitFor(() => !workers.some(isAlive));
    expect(server.log().match(/"event":"stopped"/g)).toHaveLength(2);
    await server.stop();
  });

  test('end at once after a second signal to the supervisor', async () => {
    const { server, workers, response, release } = await withOpenRequest();
    server.signal('SIGTERM');
    await waitFor(() => server.log().includes('"event":"drain-closed"'));
    server.signal('SIGTERM');
    expect(await server.exited).toBe(1);
    await waitFor(() => !workers.some(isAlive));
    expect(await response.text().catch(String)).not.toContain('[DONE]');
    release();
    await server.stop();
  });
});

describe('a server with workers that cannot start', () => {
  const runRefused = async (environment: Record<string, string>) => {
    const options = ['--workers', '2', '--port', '0', '--data', join(directory, 'refused')];
    const { code, stderr } = await runProgram(['serve', ...options], environment);
    return { code, lines: stderr.trim().split('\n') };
  };

  test('names DATABASE_URL if it has no shared store', async () => {
    const { code, lines } = await runRefused({});
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringContaining('DATABASE_URL')] });
  });

  test('reports the reason once if the database does not exist', async () => {
    const missing = Object.assign(new URL(address), { pathname: 'missing' }).href;
    const { code, lines } = await runRefused({ DATABASE_URL: missing });
    expect({ code, lines }).toEqual({ code: 1, lines: [expect.stringMatching(/"missing" does not exist/)] });
  });
});
