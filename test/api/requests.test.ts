import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { sampleModel } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

let next: (request: Request) => Response | Promise<Response> = () => new Response();
const upstream = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => next(request) });
const base = `http://127.0.0.1:${upstream.port}/v1`;
const OWN_KEY = 'operators/own+key=1';

const wires = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate',
  'google-interactions',
  'bedrock-converse',
] as const;
const server = await startServer({
  config: {
    log: { level: 'debug' },
    providers: [
      ...wires.map((wire) => ({ id: `acme-${wire}`, wire, base_url: base, api_key: OWN_KEY })),
      { id: 'nobody', wire: 'openai-chat', base_url: 'http://127.0.0.1:9', timeouts: { connect_ms: 500 } },
    ],
    catalog: {
      default: false,
      models: [
        ...wires.map((wire) =>
          sampleModel(`on-${wire}`, { routes: [{ provider: `acme-${wire}`, model: `acme-${wire}-v2` }] }),
        ),
        sampleModel('gone', { routes: [{ provider: 'nobody', model: 'gone-upstream' }] }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});
const { key, account: accountId } = await server.createKey('enterprise', { name: 'laptop' });

/** A complaint in the words of each wire, about the field with the number. */
const refusals: Record<(typeof wires)[number], (model: string) => object> = {
  'openai-chat': (model) => ({
    error: {
      message: `Invalid 'temperature' for ${model} at ${base}: no`,
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'bad_value',
    },
  }),
  'openai-responses': (model) => ({
    error: {
      message: `Invalid 'temperature' for ${model} at ${base}: no`,
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'bad_value',
    },
  }),
  'anthropic-messages': (model) => ({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: `temperature: Invalid for ${model} in org-Acme1234: no`,
    },
    request_id: 'req_vendor_1',
  }),
  'google-generate': (model) => ({
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: `Invalid value at 'generation_config.temperature' (${model}): no`,
    },
  }),
  'google-interactions': (model) => ({
    error: {
      code: 'invalid_request',
      message: `Invalid value at 'generation_config.temperature' (${model}): no`,
    },
  }),
  'bedrock-converse': (model) => ({
    message: `#/inferenceConfig/temperature: Invalid for ${model} in arn:aws:x:1: no`,
  }),
};

const refuse = (wire: (typeof wires)[number]) => () =>
  Response.json(refusals[wire](`acme-${wire}-v2`), {
    status: 400,
    headers: { 'x-request-id': 'vendor-request-7' },
  });

const dialects: Record<string, (model: string, { stream }: { stream: boolean }) => object> = {
  '/v1/chat/completions': (model, { stream }) => chatBody(model, { stream, temperature: 0.5 }),
  '/v1/messages': (model, { stream }) => chatBody(model, { stream, temperature: 0.5, max_tokens: 10 }),
  '/v1/responses': (model, { stream }) => ({ model, input: 'hello', stream, temperature: 0.5 }),
};

const showRequest = async (id: string) => {
  let found = await server.admin('GET', `/requests/${id}`);
  await waitFor(async () => {
    found = await server.admin('GET', `/requests/${id}`);
    return found.status === 200;
  });
  return found.body;
};

const lineOf = (id: string, event = 'request') =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes(id) && line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line));

const logged = async (id: string) => {
  await waitFor(() => lineOf(id).length > 0);
  return lineOf(id)[0];
};

for (const wire of wires)
  test(`gives every dialect the reason of a 400 over ${wire}, without names of the upstream [ERR-54]`, async () => {
    next = refuse(wire);
    for (const [path, bodyOf] of Object.entries(dialects)) {
      for (const stream of [false, true]) {
        const got = await server.call(path, { headers: bearer(key), body: bodyOf(`on-${wire}`, { stream }) });
        const { error } = got.body;
        expect({ status: got.status, errorCode: got.headers.get('x-svc-error-code') }).toEqual({
          status: 400,
          errorCode: 'invalid_request',
        });
        expect(error.message).toMatch(/temperature.*no\.$/);
        if (path !== '/v1/messages') expect(error.param).toBe('temperature');
        expect(error.message).not.toMatch(/acme|127\.0|http|arn|org-/i);
        expect(error.message).toContain(`on-${wire}`);
      }
    }
  });

test('gives the reason in a stream that had begun [ERR-54]', async () => {
  const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
  const choices = [{ index: 0, delta: { role: 'assistant', content: 'one' }, finish_reason: null }];
  const text = `data: ${JSON.stringify({ ...chunk, choices })}\n\ndata: ${JSON.stringify({
    error: {
      message: 'acme-openai-chat-v2 refuses temperature',
      type: 'invalid_request_error',
      code: 'invalid_request',
    },
  })}\n\n`;
  next = () => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  for (const [path, bodyOf] of Object.entries(dialects)) {
    const got = await server.call(path, {
      headers: bearer(key),
      body: bodyOf('on-openai-chat', { stream: true }),
    });
    expect(got.status).toBe(200);
    expect(got.text).toContain('on-openai-chat refuses temperature');
    const { attempts } = await showRequest(got.headers.get('x-svc-request-id')!);
    expect(attempts[0].error).toMatchObject({ message: 'acme-openai-chat-v2 refuses temperature' });
  }
});

test("keeps an upstream's error in the log and on the request's record", async () => {
  next = refuse('openai-chat');
  const got = await server.call('/v1/chat/completions', {
    headers: { ...bearer(key), 'user-agent': 'agent/1 \u009b' },
    body: chatBody('on-openai-chat', { temperature: 1 }),
  });
  const id = got.headers.get('x-svc-request-id')!;
  const message = `Invalid 'temperature' for acme-openai-chat-v2 at ${base}: no`;
  const said = {
    status: 400,
    type: 'invalid_request_error',
    code: 'bad_value',
    message,
    request_id: 'vendor-request-7',
  };
  const line = await logged(id);
  expect(line).toMatchObject({
    level: 'info',
    status: 400,
    client_address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    user_agent: expect.stringContaining('agent/1'),
    key_name: 'laptop',
    upstream_errors: [{ provider: 'acme-openai-chat', model: 'acme-openai-chat-v2', ...said }],
  });
  const raw = server
    .log()
    .split('\n')
    .find((one) => one.includes(id) && one.includes('"event":"request"'))!;
  expect(raw).not.toContain('\u009b');
  expect(lineOf(id, 'attempt')).toMatchObject([
    { level: 'debug', provider: 'acme-openai-chat', error: said },
  ]);
  const record = await showRequest(id);
  expect(record).toMatchObject({
    id,
    account_id: accountId,
    status: 400,
    error: { code: 'invalid_request', message: got.body.error.message },
    model: 'on-openai-chat',
    provider: 'acme-openai-chat',
    client_address: line.client_address,
    attempts: [
      {
        provider: 'acme-openai-chat',
        model: 'acme-openai-chat-v2',
        started_at: expect.stringMatching(/^20/),
        ms: expect.any(Number),
        status: 400,
        error: said,
      },
    ],
  });
});

test("keeps 2 KB without the operator's keys", async () => {
  const message = `Bad key ${OWN_KEY} or sk-proj-abcdefghijklmnop1234 ${'é'.repeat(5_000)}`;
  next = () => Response.json({ error: { message, type: 't'.repeat(500) } }, { status: 401 });
  const got = await server.chat(key, 'on-openai-chat');
  const id = got.headers.get('x-svc-request-id')!;
  const { attempts, status } = await showRequest(id);
  expect(status).toBe(503);
  const text = JSON.stringify(attempts[0].error);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_048);
  expect(text).toContain('Bad key [redacted] or [redacted]');
  expect((await logged(id)).level).toBe('error');
  expect(server.log()).not.toContain(OWN_KEY);
});

test('says why no answer came', async () => {
  const got = await server.chat(key, 'gone');
  const [attempt] = (await showRequest(got.headers.get('x-svc-request-id')!)).attempts;
  expect(attempt).toMatchObject({ provider: 'nobody', status: null, error: { status: null } });
  expect(attempt.error.message).toMatch(/ECONNREFUSED|refused/i);
});

test('keeps refusals and reads of authenticated requests only', async () => {
  const refused = await server.chat(key, 'no-such-model');
  const { attempts, error } = await showRequest(refused.headers.get('x-svc-request-id')!);
  expect({ attempts, code: error.code }).toEqual({ attempts: [], code: 'unknown_model' });
  const read = await server.call('/v1/usage', { headers: bearer(key) });
  expect((await showRequest(read.headers.get('x-svc-request-id')!)).route).toBe('/v1/usage');
  const stranger = await server.chat('svc_wrong', 'on-openai-chat');
  const last = await server.chat(key, 'no-such-model');
  await showRequest(last.headers.get('x-svc-request-id')!);
  const id = stranger.headers.get('x-svc-request-id');
  expect((await server.admin('GET', `/requests/${id}`)).status).toBe(404);
});

test('lists requests by account, key, model, status and time, in pages', async () => {
  const other = await server.createKey('enterprise');
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const got = await server.chat(other.key, count < 3 ? 'no-such-model' : 'gone');
    ids.unshift(got.headers.get('x-svc-request-id')!);
  }
  await showRequest(ids[0]!);
  const list = async (query: string) =>
    (await server.admin('GET', `/requests?account=${other.account}&${query}`)).body;
  const idsOf = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
  expect(await idsOf('limit=10')).toEqual(ids);
  const first = await list('limit=2');
  expect({ length: first.data.length, has_more: first.has_more, last_id: first.last_id }).toEqual({
    length: 2,
    has_more: true,
    last_id: ids[1],
  });
  expect(await idsOf(`limit=2&after=${first.last_id}`)).toEqual(ids.slice(2, 4));
  expect(await idsOf(`limit=9&after=${ids[4]}`)).toEqual([]);
  expect(await idsOf('status=404')).toEqual(ids.slice(2));
  expect(await idsOf('status=5xx')).toEqual(ids.slice(0, 2));
  expect(await idsOf('model=gone')).toEqual(ids.slice(0, 2));
  const { key_id: keyId, ended_at: endedAt } = first.data[1];
  expect(await idsOf(`key=${keyId}`)).toEqual(ids);
  expect(await idsOf('key=key_other')).toEqual([]);
  expect(await idsOf(`since=${endedAt}`)).toContain(ids[1]);
  expect(await idsOf(`until=${endedAt}`)).not.toContain(ids[1]);
  for (const query of ['status=40', 'since=yesterday', 'until=1', 'limit=0'])
    expect({ query, status: (await server.admin('GET', `/requests?${query}`)).status }).toEqual({
      query,
      status: 400,
    });
});

test('shows and lists requests on the command line', async () => {
  next = refuse('openai-chat');
  const got = await server.chat(key, 'on-openai-chat');
  const id = got.headers.get('x-svc-request-id')!;
  await showRequest(id);
  const run = async (...words: string[]) => {
    const { code, stdout } = await runProgram(['requests', ...words, '--data', server.dataDirectory]);
    expect(code).toBe(0);
    return stdout;
  };
  const shown = await run('show', id);
  const listed = await run('list', '--status', '400', '--limit', '1');
  expect(shown).toContain('vendor-request-7');
  expect(shown).toContain('acme-openai-chat-v2');
  expect(listed).toContain(id);
});
