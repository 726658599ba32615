import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { call, chatBody, type Json } from '../support/call.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const modes = async (server: TestServer): Promise<Record<string, string>> => {
  const { body } = await server.admin('GET', '/providers');
  return Object.fromEntries(body.data.map(({ id, mode }: Json) => [id, mode]));
};
const idsOf = (byId: Record<string, string>, mode: string) =>
  Object.keys(byId).filter((id) => byId[id] === mode);

for (const [variables, live] of [
  [{ OPENAI_API_KEY: 'sk-dummy' }, ['openai']],
  [{ ANTHROPIC_API_KEY: 'sk-ant-dummy', GEMINI_API_KEY: 'AIza-dummy' }, ['anthropic', 'google']],
] as [Record<string, string>, string[]][]) {
  test(`${Object.keys(variables).join(' and ')} switches on its own provider only [ADM-45]`, async () => {
    const server = await startServer({ environment: variables });
    const byId = await modes(server);
    expect(idsOf(byId, 'live')).toEqual(live);
    expect(idsOf(byId, 'not-set-up').length).toBe(Object.keys(byId).length - live.length);
    const shown: Json = (await server.admin('GET', `/providers/${live[0]}`)).body;
    expect(shown.base_url).toStartWith('https://');
    expect(server.log()).toContain(`"providers":${JSON.stringify(live)}`);
    const everything = JSON.stringify((await server.admin('GET', '/providers')).body) + server.log();
    for (const secret of Object.values(variables)) expect(everything).not.toContain(secret);
    await server.stop();
  });
}

describe('with the key of one vendor', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      environment: { OPENAI_API_KEY: 'sk-dummy', AZURE_OPENAI_API_KEY: 'azure-dummy' },
      terminal: true,
    });
  });
  afterAll(() => server.stop());

  test('models of other vendors cannot be called, and nothing is simulated [RES-32]', async () => {
    for (const model of ['claude-sonnet-4-6', '@svc/gpt-oss-20b']) {
      const { status, body, headers } = await server.chat(server.firstKey, model);
      expect({ model, status, code: body.error.code }).toEqual({
        model,
        status: 404,
        code: 'model_unavailable',
      });
      expect(headers.get('x-svc-simulated')).toBeNull();
    }
    const { body } = await server.call('/v1/models');
    expect(body.data.length).toBeGreaterThan(3);
    for (const { id, owned_by, available, simulated } of body.data)
      expect({ id, owned_by, available, simulated }).toEqual({
        id,
        owned_by: 'openai',
        available: undefined,
        simulated: undefined,
      });
    const listed: string[] = body.data.map(({ id }: Json) => id);
    const [, shown] = /"model":"([^"]+)"/.exec(server.log())!;
    expect(listed).toContain(shown!);
    expect(server.log()).not.toContain('imulated');
  });

  test('the other providers are not set up, and name the required variables that are missing', async () => {
    const { body } = await server.admin('GET', '/providers');
    const rows: Record<string, Json> = Object.fromEntries(body.data.map((row: Json) => [row.id, row]));
    const reported = (id: string) => [rows[id].mode, rows[id].health, rows[id].missing_variables];
    expect(reported('openai')).toEqual(['live', 'up', []]);
    expect(reported('google')).toEqual(['not-set-up', 'not-set-up', ['GEMINI_API_KEY']]);
    expect(reported('alibaba')).toEqual(['not-set-up', 'not-set-up', ['DASHSCOPE_API_KEY']]);
    expect(reported('bedrock')).toEqual(['not-set-up', 'not-set-up', ['AWS_BEARER_TOKEN_BEDROCK']]);
    expect(reported('azure')).toEqual(['not-set-up', 'not-set-up', ['AZURE_OPENAI_ENDPOINT']]);
    expect(reported('azure-dated')[2]).toEqual(['AZURE_OPENAI_ENDPOINT', 'OPENAI_API_VERSION']);
    const { code, stdout } = await runProgram(['provider', 'list', '--data', server.dataDirectory]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/alibaba +not set up +not set up .* DASHSCOPE_API_KEY/);
  });
});

test('simulates every provider without a key, unless the file names a provider', async () => {
  const server = await startServer({ config: 'brand: svc\n' });
  const before = await modes(server);
  expect(idsOf(before, 'simulated')).toEqual(Object.keys(before));
  server.configure({ providers: [{ id: 'own', wire: 'openai-chat', base_url: 'http://127.0.0.1:9/v1' }] });
  expect((await server.reload()).status).toBe(200);
  const after = await modes(server);
  expect(after).toMatchObject({ own: 'live', openai: 'not-set-up', anthropic: 'not-set-up' });
  const { status, body } = await server.chat(server.firstKey, 'gpt-4.1');
  expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'model_unavailable' });
  await server.stop();
});

test("refuses the simulator's fault controls to ordinary accounts [ADM-46]", async () => {
  const server = await startServer();
  for (const plan of ['free', 'launch', 'starter', 'pro', 'max', 'scale']) {
    const { key } = await server.createKey(plan);
    for (const model of [
      'gpt-4.1!status=500',
      '@svc/gpt-oss-20b!status=500',
      '!status=500',
      'x!delay-ms=5000',
      'simulator/x!cut-after=1',
    ]) {
      const { status, body } = await server.chat(key, model);
      expect({ plan, model, status, code: body.error.code }).toEqual({
        plan,
        model,
        status: 404,
        code: 'unknown_model',
      });
    }
  }
  const headers = { authorization: `Bearer ${server.firstKey}`, 'x-simulator': 'status=500' };
  const body = chatBody('gpt-4.1', { misbehaviour: { status: 500 }, metadata: { status: '500' } });
  expect((await server.call('/v1/chat/completions', { headers, body })).status).toBe(200);

  // The simulator listens on this machine, with a key that only the gateway knows.
  const { base_url } = (await server.admin('GET', '/providers/simulator')).body;
  const asked = { body: chatBody('x!status=500') };
  for (const each of [
    {},
    { authorization: `Bearer ${server.firstKey}` },
    { authorization: `Bearer ${server.adminToken}` },
  ])
    expect(
      (await call(`${base_url}/chat/completions`, { ...asked, headers: each as Record<string, string> }))
        .status,
    ).toBe(401);
  await server.stop();
});
