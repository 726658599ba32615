import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { waitFor } from '../support/wait-for.ts';

const KEY = 'sk-small-1234567890abcdef';
const wrong = startSmallProvider([]);
const good = startSmallProvider([KEY]);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-faults-'));
afterAll(() => {
  wrong.stop();
  good.stop();
  rmSync(directory, { recursive: true, force: true });
});

const host = (id: string, base_url: string) => ({ id, wire: 'openai-chat', base_url, api_key: KEY });
const model = (id: string, routes: string[]) => ({
  id,
  plan: 'free',
  context_window: 8_192,
  max_output: 4_096,
  pricing_usd_per_mtok: { input: 1, output: 4 },
  delivery: 'exact',
  routes: routes.map((provider, index) => ({ provider, model: 'small-1', weight: index === 0 ? 1_000 : 0 })),
});
const config = {
  providers: [host('first', wrong.url), host('second', good.url), host('third', good.url)],
  catalog: {
    models: [model('covered', ['first', 'second']), model('bare', ['first']), model('third', ['third'])],
  },
};
const open = (dataDirectory = join(directory, 'data')) => startServer({ config, dataDirectory });
const faultsOf = async (server: TestServer, query = '') => {
  const { status, body } = await server.admin('GET', `/faults${query}`);
  expect(status).toBe(200);
  return body.data;
};

test('a wrong key that a fallback hides is a fault at its first failure, and outlasts a restart', async () => {
  const server = await open();
  expect(await faultsOf(server)).toEqual([]);
  const answered = await server.chat(server.firstKey, 'covered');
  expect({ status: answered.status, content: answered.body.choices?.[0].message.content }).toEqual({
    status: 200,
    content: 'A real answer.',
  });
  const [fault] = await faultsOf(server);
  expect(fault).toEqual({
    id: expect.stringMatching(/^flt_/),
    provider: 'first',
    model: 'small-1',
    cause: 'key_refused',
    first_at: expect.any(String),
    last_at: fault.first_at,
    count: 1,
    hidden_by_fallback: 1,
    reason: expect.stringMatching(/^The provider refuses its key: 401 Incorrect API key provided/),
    remedy: 'Replace the key of the provider, and check that its account may use the model.',
    severity: 'error',
    ended_at: null,
  });
  expect(JSON.stringify(fault)).not.toContain(KEY);
  expect((await server.chat(server.firstKey, 'bare')).status).toBe(503);
  expect(await faultsOf(server)).toMatchObject([{ id: fault.id, count: 2, hidden_by_fallback: 1 }]);

  good.state.status = 500;
  for (let calls = 0; calls < 2; calls++) await server.chat(server.firstKey, 'third');
  expect(await faultsOf(server)).toHaveLength(1);
  await server.chat(server.firstKey, 'third');
  expect(await faultsOf(server)).toMatchObject([
    { provider: 'third', cause: 'failing', count: 3, hidden_by_fallback: 0, severity: 'error' },
    { provider: 'first', cause: 'key_refused' },
  ]);
  good.state.status = 0;
  await server.admin('POST', '/providers/third/drain');
  await server.stop();

  const again = await open();
  expect((await again.admin('GET', '/providers/third')).body).toMatchObject({ health: 'drained' });
  const program = spawnProgram(
    ['faults', '--json', '--url', again.url, '--admin-token', again.adminToken],
    {},
  );
  expect(await program.exited).toBe(0);
  expect(program.stdout()).toContain(fault.id);
  await again.stop();
});

test('a fault ends five minutes after a success, and a further failure is another fault', async () => {
  const server = await startServer({
    config,
    dataDirectory: join(directory, 'later'),
    environment: { TOLLGATE_TEST_CLOCK: '1' },
  });
  const advance = (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds });
  await server.chat(server.firstKey, 'bare');
  wrong.state.accepted = [KEY];
  expect((await advance(60)).status).toBe(200);
  await waitFor(async () => (await server.chat(server.firstKey, 'bare')).status === 200);
  expect(await faultsOf(server)).toHaveLength(1);
  await advance(301);
  expect(await faultsOf(server)).toEqual([]);
  expect(await faultsOf(server, '?ended=true')).toMatchObject([
    { cause: 'key_refused', ended_at: expect.any(String) },
  ]);
  wrong.state.accepted = [];
  await server.chat(server.firstKey, 'bare');
  expect(await faultsOf(server)).toMatchObject([{ count: 1 }]);
  expect(await faultsOf(server, '?ended=true')).toHaveLength(2);
  await server.stop();
});
