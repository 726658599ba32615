import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';

const KEY = 'sk-small-1234567890abcdef';
const OTHER = 'sk-other-0987654321fedcba';
const upstream = startSmallProvider([KEY, OTHER]);
const server = await startServer({
  config: { providers: [{ id: 'of-file', wire: 'openai-chat', base_url: upstream.url }] },
  environment: {
    GROQ_API_KEY: 'gsk_environment_1234567890',
    TOLLGATE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  },
});
const { key } = await server.createKey('pro');
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const small = { id: 'small', wire: 'openai-chat', base_url: upstream.url, api_key: KEY };
const model = {
  id: 'small-model',
  context_window: 8_192,
  pricing_usd_per_mtok: { input: 1, output: 4 },
  plan: 'free',
  routes: [{ provider: 'small', model: 'small-1' }],
};

test('a provider is tested with a real answer before it is stored', async () => {
  const tested = await server.admin('POST', '/providers/test', small);
  expect(tested).toMatchObject({
    status: 200,
    body: {
      ok: true,
      status: 200,
      model: 'small-1',
      text: 'A real answer.',
      models: ['small-1', 'small-2'],
      error: null,
    },
  });
  expect((await server.admin('GET', '/providers/small')).status).toBe(404);
});

test('a test with a wrong key reports the refusal without the key', async () => {
  const wrong = { ...small, api_key: 'sk-wrong-1234567890abcdef' };
  const refused = await server.admin('POST', '/providers/test', wrong);
  expect(refused.body).toMatchObject({ ok: false, status: 401, error: { cause: 'key_refused' } });
  expect(refused.text).not.toContain(wrong.api_key);
});

test('a test reads no more than a bound of an endless answer', async () => {
  const part = new Uint8Array(1_024 * 1_024).fill(120);
  let parts = 0;
  const endless = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            // A read without a bound ends here.
            if (++parts > 64) controller.close();
            else controller.enqueue(part);
          },
        }),
      ),
  });
  const base_url = `http://127.0.0.1:${endless.port}/v1`;
  const cut = await server.admin('POST', '/providers/test', { ...small, base_url });
  await endless.stop(true);
  expect(cut.body.error?.cause).toBe('malformed');
  expect(parts > 0 && parts < 60).toBe(true);
});

test('a test of a provider that does not run reports that it is unreachable', async () => {
  const away = await server.admin('POST', '/providers/test', { ...small, base_url: 'http://127.0.0.1:1/v1' });
  expect(away.body).toMatchObject({ ok: false, status: null, error: { cause: 'unreachable' } });
});

test('a stored provider and a stored model serve at once', async () => {
  const made = await server.admin('POST', '/providers', small);
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: 'small',
      source: 'stored',
      revision: 1,
      simulated: false,
      mode: 'live',
      credential: { kind: 'api_key', hint: 'cdef' },
    },
  });
  expect(made.body.credential.set_at).toBeString();
  const added = await server.admin('POST', '/models', model);
  expect(added).toMatchObject({
    status: 201,
    body: { id: 'small-model', source: 'stored', revision: 1, hidden: false },
  });
  const answer = await server.chat(key, 'small-model');
  expect({ status: answer.status, content: answer.body.choices?.[0].message.content }).toEqual({
    status: 200,
    content: 'A real answer.',
  });
  expect(upstream.seen.at(-1)).toMatchObject({ key: KEY, model: 'small-1' });
});

test('rows of the file and of the environment cannot be changed', async () => {
  for (const [id, place] of [
    ['of-file', 'tollgate.yaml'],
    ['groq', 'GROQ_API_KEY'],
  ] as const) {
    for (const answer of [
      await server.admin('POST', '/providers', { ...small, id }),
      await server.admin('PATCH', `/providers/${id}`, { max_concurrent: 3 }),
      await server.admin('DELETE', `/providers/${id}`),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
      expect(answer.body.error.message).toContain(place);
    }
  }
  expect((await server.admin('POST', '/providers', small)).status).toBe(409);
  expect((await server.admin('GET', '/providers/of-file')).body.source).toBe('file');
  expect((await server.admin('GET', '/providers/groq')).body.source).toBe('environment');
});

test('a change keeps the other fields, and a change of an earlier revision is refused', async () => {
  const changed = await server.admin('PATCH', '/providers/small', { api_key: OTHER, revision: 1 });
  expect(changed).toMatchObject({
    status: 200,
    body: { revision: 2, credential: { hint: 'dcba' }, base_url: upstream.url },
  });
  const late = await server.admin('PATCH', '/providers/small', { api_key: KEY, revision: 1 });
  expect({ status: late.status, code: late.body.error.code }).toEqual({ status: 409, code: 'conflict' });
  await server.chat(key, 'small-model');
  expect(upstream.seen.at(-1)?.key).toBe(OTHER);
  expect((await server.admin('POST', '/providers/small/test', {})).body).toMatchObject({
    ok: true,
    model: 'small-1',
  });
});

test('an operator who is not an owner cannot send the stored credential to another server', async () => {
  const { token } = (await server.admin('POST', '/tokens', { name: 'ci', role: 'operator' })).body;
  const change = (body: Json) =>
    server.call('/admin/v1/providers/small', { method: 'PATCH', headers: bearer(token), body });
  const elsewhere = 'http://127.0.0.1:1/v1';
  for (const body of [{ base_url: elsewhere }, { base_url: elsewhere, headers: { 'x-one': '1' } }]) {
    const refused = await change(body);
    expect(refused).toMatchObject({ status: 400, body: { error: { param: 'api_key' } } });
  }
  expect((await change({ base_url: `${upstream.url}/` })).status).toBe(200);
  const moved = await change({ base_url: elsewhere, api_key: OTHER });
  expect({ status: moved.status, base_url: moved.body.base_url }).toEqual({
    status: 200,
    base_url: elsewhere,
  });
  const byOwner = await server.admin('PATCH', '/providers/small', { base_url: upstream.url });
  expect({ status: byOwner.status, hint: byOwner.body.credential.hint }).toEqual({
    status: 200,
    hint: OTHER.slice(-4),
  });
});

describe('invalid input', () => {
  const cases: [string, Json, string][] = [
    ['without a wire', { id: 'x', base_url: upstream.url }, 'wire'],
    ['without an address', { id: 'x', wire: 'openai-chat' }, 'base_url'],
    ['with two credentials', { ...small, id: 'x', aws: {} }, 'aws'],
    ['with a key of two words', { ...small, id: 'x', api_key: 'two words' }, 'api_key'],
    ['of a built-in host without a key', { id: 'openai' }, 'api_key'],
    ['with an unknown field', { ...small, id: 'x', wires_: 1 }, 'wires_'],
  ];
  for (const [title, body, param] of cases)
    test(`a provider ${title} is refused`, async () => {
      const answer = await server.admin('POST', '/providers', body);
      expect({ status: answer.status, param: answer.body.error.param }).toEqual({ status: 400, param });
      expect(answer.text).not.toContain('two words');
    });
});

test('a removal names the models that lose their last route', async () => {
  const removed = await server.admin('DELETE', '/providers/small');
  expect(removed).toMatchObject({
    status: 200,
    body: { id: 'small', deleted: true },
  });
  expect(removed.body.warnings.join()).toContain('small-model');
  expect((await server.admin('GET', '/providers/small')).status).toBe(404);
  expect((await server.chat(key, 'small-model')).status).toBe(404);
});

test('each change is audited without a key in any answer or log line', async () => {
  const pages = ['/providers', '/catalog', '/audit?limit=100', '/configuration', '/doctor'];
  for (const page of pages) {
    const { text } = await server.admin('GET', page);
    for (const secret of [KEY, OTHER]) expect(text).not.toContain(secret);
  }
  const { data } = (await server.admin('GET', '/audit?limit=100')).body;
  const actions = data.map(({ action }: Json) => action);
  for (const action of ['provider-create', 'provider-change', 'provider-delete', 'model-create'])
    expect(actions).toContain(action);
  expect(server.log() + server.errors()).not.toContain('sk-');
});
