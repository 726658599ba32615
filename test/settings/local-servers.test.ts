import { afterAll, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { answerWell } from '../support/recording-upstream.ts';
import { startDeafListener } from '../support/start-deaf-listener.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

/** Starts a server that answers by path, or by path and model. Any other request is 404. */
function startLocalServer(answers: Record<string, Json>) {
  const paths: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      paths.push(pathname);
      const body: Json = await request.json().catch(() => undefined);
      if (pathname === '/v1/chat/completions') return answerWell({ body } as never);
      const answer = answers[body?.model ? `${pathname} ${body.model}` : pathname];
      return answer === undefined ? new Response('no', { status: 404 }) : Response.json(answer);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, paths, answers, stop: () => server.stop(true) };
}

const modelList = (...names: string[]) => ({ models: names.map((name) => ({ name, model: name })) });
const ollama = startLocalServer({
  '/api/tags': modelList('llama3.2:latest', 'gpt-4.1', 'vectors', 'painter', 'library/deep/qwen3:8b'),
  '/api/show llama3.2:latest': {
    capabilities: ['completion', 'tools', 'vision'],
    model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 },
    parameters: 'stop "x"\nnum_ctx                        16384',
  },
  '/api/show vectors': {
    capabilities: ['embedding'],
    model_info: { 'bert.context_length': 2_048, 'bert.embedding_length': 768 },
  },
  '/api/show painter': { capabilities: ['image'] },
});
const vllm = startLocalServer({
  '/v1/models': {
    object: 'list',
    data: [{ id: 'meta-llama/Llama-3.1-8B', owned_by: 'vllm', max_model_len: 4_096 }],
  },
});
const llamaCpp = startLocalServer({
  '/v1/models': {
    data: [{ id: '/models/Phi-4-Q4.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 9_999 } }],
  },
  '/props': { default_generation_settings: { n_ctx: 2_048 }, modalities: { vision: true } },
});
/** Another program at a usual port. */
const stranger = startLocalServer({
  '/v1/models': { data: [{ id: 'x', owned_by: 'somebody' }] },
  '/api/tags': [],
});
const deaf = await startDeafListener();
afterAll(async () => {
  await Promise.all([ollama, vllm, llamaCpp, stranger, deaf].map((each) => each.stop()));
});

const nobody = 'http://127.0.0.1:9';
const searching = { TOLLGATE_LOCAL_SERVERS: '' };
const all = { ollama: ollama.url, vllm: vllm.url, llama_cpp: llamaCpp.url };
const start = (fields: Json, environment: Record<string, string> = searching): Promise<TestServer> =>
  startServer({ config: fields, environment });
const logged = (server: TestServer, word: string) => waitFor(() => server.log().includes(word));
const models = async (server: TestServer): Promise<Json[]> =>
  (await server.call('/v1/models', { headers: bearer(server.firstKey) })).body.data;
const local = async (server: TestServer): Promise<Json[]> =>
  (await models(server)).filter(({ tier }) => tier === 'local');

test('serves the models of Ollama, vLLM and llama.cpp on this machine from the start', async () => {
  const server = await start({ local_servers: all });
  for (const url of Object.values(all)) await logged(server, url);
  const found = await local(server);
  const reported = found.map(({ id, aliases, context_window, capabilities: { tools, vision } }) => [
    id,
    aliases.slice(2),
    context_window,
    tools,
    vision,
  ]);
  expect(reported).toEqual([
    ['@svc/llama3.2', ['llama3.2:latest'], 16_384, true, true],
    // A name that a model has already stays that model's.
    ['@svc/ollama-gpt-4.1', [], 8_192, false, false],
    ['@svc/vectors', [], 2_048, false, false],
    ['@svc/qwen3:8b', ['library/deep/qwen3:8b'], 8_192, false, false],
    ['@svc/Llama-3.1-8B', ['meta-llama/Llama-3.1-8B'], 4_096, true, false],
    ['@svc/Phi-4-Q4', [], 2_048, true, true],
  ]);
  expect(found[2]).toMatchObject({ output_dimensions: 768 });
  expect(found[0]).toMatchObject({ delivery: 'exact', pricing_usd_per_mtok: { input: 0, output: 0 } });
  expect(found[0].svc.access).toMatchObject({ included: true, plan: 'enterprise' });
  for (const model of ['llama3.2', '@svc/Phi-4-Q4', 'meta-llama/Llama-3.1-8B']) {
    const { status, body } = await server.chat(server.firstKey, model);
    expect({ status, model: body.model, content: body.choices[0].message.content }).toEqual({
      status: 200,
      model,
      content: 'one two',
    });
  }
  const { body } = await server.admin('GET', '/providers/llama.cpp');
  expect(body).toMatchObject({ mode: 'live', source: 'found', base_url: `${llamaCpp.url}/v1` });
  const free = await server.createKey('free');
  expect((await server.chat(free.key, 'llama3.2')).body.error.code).toBe('plan_upgrade_required');
  await server.stop();
});

test('removes the models of stopped servers on a reload', async () => {
  const gone = startLocalServer({ '/api/tags': modelList('one') });
  const server = await start({
    local_servers: { mode: 'on', ollama: gone.url, vllm: nobody, llama_cpp: nobody },
    catalog: { default: false, models: [ableModel('gpt-4.1', [simulated('openai-chat')])] },
  });
  await logged(server, gone.url);
  const isSimulated = async () => (await server.chat(server.firstKey, 'gpt-4.1')).status === 200;
  expect(await isSimulated()).toBe(false);
  expect(await local(server)).toMatchObject([{ id: '@svc/one' }]);
  gone.answers['/api/tags'] = modelList('one', 'two');
  expect((await server.reload()).status).toBe(200);
  await logged(server, '"two"');
  expect(await local(server)).toHaveLength(2);
  await gone.stop();
  await server.reload();
  await logged(server, 'local-server-gone');
  expect(await local(server)).toEqual([]);
  expect((await server.chat(server.firstKey, '@svc/one')).body.error.code).toBe('unknown_model');
  expect(await isSimulated()).toBe(false); // a server that is away is not replaced by made-up answers
  await server.stop();
});

test('ignores other programs at the usual ports, and does not wait for one that never answers', async () => {
  const server = await start({
    local_servers: { mode: 'on', ollama: deaf.url, vllm: stranger.url, llama_cpp: stranger.url },
    catalog: { default: false, models: [ableModel('gpt-4.1', [simulated('openai-chat')])] },
  });
  await waitFor(() => stranger.paths.length === 2);
  expect(await local(server)).toEqual([]);
  expect((await server.chat(server.firstKey, 'gpt-4.1')).status).toBe(200);
  expect(await server.stop()).toBe(0); // with the search still under way
});

for (const [what, fields, environment] of [
  ['the configuration says so', { local_servers: { ...all, mode: 'off' } }, searching],
  ['the environment says so', { local_servers: all }, { TOLLGATE_LOCAL_SERVERS: 'off' }],
  [
    'providers are configured',
    {
      local_servers: all,
      providers: [{ id: 'own', wire: 'openai-chat', base_url: nobody }],
    },
    searching,
  ],
  ['only the file’s own models are wanted', { local_servers: all, catalog: { default: false } }, searching],
] as [string, Json, Record<string, string>][]) {
  test(`does not search if ${what}`, async () => {
    for (const { paths } of [ollama, vllm, llamaCpp]) paths.splice(0);
    const server = await start(fields, environment);
    if (isLong || environment !== searching) expect((await server.reload()).status).toBe(200);
    expect(await local(server)).toEqual([]);
    await server.stop();
    expect([ollama, vllm, llamaCpp].map(({ paths }) => paths)).toEqual([[], [], []]);
  });
}

test('serves the configured model of a server that a route names', async () => {
  const server = await start({
    local_servers: all,
    simulator: { mode: 'off' },
    catalog: {
      default: false,
      models: [
        {
          id: 'mine',
          plan: 'free',
          context_window: 8_192,
          pricing_usd_per_mtok: { input: 1, output: 1 },
          routes: [{ provider: 'ollama', model: 'llama3.2:latest' }],
        },
      ],
    },
  });
  await logged(server, ollama.url);
  const ids = (await models(server)).map(({ id }) => id);
  expect(ids).toContain('mine');
  expect(ids).not.toContain('@svc/llama3.2');
  expect(ids).not.toContain('@svc/Phi-4-Q4');
  expect((await server.chat(server.firstKey, 'mine')).status).toBe(200);
  await server.stop();
});

test('uses a server whose variable is set, whether it runs or not', async () => {
  const server = await start(
    { local_servers: { ...all, mode: 'on', ollama: nobody }, catalog: { default: false } },
    { ...searching, OLLAMA_HOST: nobody },
  );
  await logged(server, llamaCpp.url);
  const { body } = await server.admin('GET', '/providers/ollama');
  expect(body).toMatchObject({ mode: 'live', source: 'environment', base_url: `${nobody}/v1` });
  await server.stop();
});

test('refuses an invalid address with its place', async () => {
  const server = await startServer({
    config: {
      local_servers: { mode: 'on', ollama: nobody, vllm: nobody, llama_cpp: 'http://gpu:0' },
      catalog: { default: false },
    },
  }).catch((error) => String(error));
  expect(server).toContain('local_servers.llama_cpp');
});
