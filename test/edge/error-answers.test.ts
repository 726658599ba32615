import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal, expectRetryHeaders } from '../support/expect-refusal.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
upstream.answer('hidden-test-max', answerStatus(500));
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const free = await server.createKey('free');
const suspended = await server.createKey('pro');
await server.admin('PATCH', `/accounts/${suspended.account}`, { status: 'suspended' });

const CHAT = '/v1/chat/completions';
const post = (body: unknown, headers = bearer(key)) => server.call(CHAT, { headers, body });

/** One request for each kind of permanent refusal. */
const refused: Record<string, () => Promise<Answer>> = {
  '400 invalid_json': () => post('{'),
  '400 invalid_request': () => post({ ...chatBody('test-plain'), n: 'many' }),
  '400 plan_upgrade_required': () => server.chat(free.key, 'test-max'),
  '400 payg_required': () => server.chat(key, 'test-payg'),
  '401 missing_api_key': () => post(chatBody('test-plain'), {}),
  '401 invalid_api_key': () => post(chatBody('test-plain'), bearer('no')),
  '403 account_suspended': () => server.chat(suspended.key, 'test-plain'),
  '404 not_found': () => server.call('/v1/nope'),
  '404 unknown_model': () => server.chat(key, 'nothing'),
  '404 model_unavailable': () => server.chat(key, 'test-unrouted'),
  '405 method_not_allowed': () => server.call(CHAT),
  '410 endpoint_retired': () => server.call('/v1/edits', { body: {} }),
  '413 body_too_large': () => post('x'.repeat(10_485_761)),
};

describe('an OpenAI-style error', () => {
  for (const [what, ask] of Object.entries(refused)) {
    test(`of ${what} has type, code, message and param, and the code in a header [ERR-02] [ERR-06]`, async () => {
      const [status, code] = what.split(' ') as [string, string];
      const answer = await ask();
      expectRefusal(answer, Number(status), code, answer.body.error.param);
    });
  }

  test('has no param if no parameter is at fault [ERR-03]', async () => {
    const paramOf = Object.fromEntries(
      await Promise.all(
        Object.entries(refused).map(async ([what, ask]) => [what, (await ask()).body.error.param]),
      ),
    );
    const {
      '400 invalid_request': bad,
      '404 unknown_model': unknown,
      '404 model_unavailable': away,
      ...rest
    } = paramOf;
    expect({ bad, unknown, away }).toEqual({ bad: 'n', unknown: 'model', away: 'model' });
    for (const [what, param] of Object.entries(rest)) expect({ what, param }).toEqual({ what, param: null });
  });

  test('stays the same when the request is repeated [ERR-18]', async () => {
    for (const [what, ask] of Object.entries(refused)) {
      const again = [await ask(), await ask(), await ask()].map(
        ({ status, body }) => `${status} ${body.error.code}`,
      );
      expect(again).toEqual([what, what, what]);
    }
  });

  test('says that a retry cannot help and has no wait [ERR-36] [ERR-51]', async () => {
    for (const ask of Object.values(refused)) expectRetryHeaders(await ask());
    for (const path of ['/v1/models/nothing', '/v1/models?wire=bogus', '/admin/v1/accounts', '/nope'])
      expectRetryHeaders(await server.call(path));
  });

  test('has the wait if a retry can help [ERR-27] [ERR-50]', async () => {
    const answer = await server.chat(key, 'test-max');
    expectRefusal(answer, 503, 'upstream_unavailable');
    expectRetryHeaders(answer);
  });
});

/** Addresses that do not exist, in each part of the service. */
const nowhere = [
  '/v1/nope',
  '/v1',
  '/',
  '/nope',
  '/v1/chat',
  '/v1/models-x',
  '/admin/v1/nope',
  '/v1/messages-x',
];

describe('the envelope', () => {
  const underMessages = ['/v1/messages/x/y', '/v1/messages/batches/x/y/z', '/v1/messages/nope'];

  for (const method of ['GET', 'POST', 'DELETE']) {
    test(`is that of the messages dialect only under /v1/messages (${method}) [ERR-04] [ERR-01]`, async () => {
      for (const path of underMessages) {
        const { status, body, headers } = await server.call(path, { method });
        const error = {
          type: 'invalid_request_error',
          code: 'not_found',
          message: expect.stringMatching(/\S/),
        };
        expect({ path, status, body }).toEqual({ path, status: 404, body: { type: 'error', error } });
        expect(headers.get('x-svc-error-code')).toBe('not_found');
      }
      for (const path of nowhere.filter((each) => each !== '/'))
        expectRefusal(await server.call(path, { method }), 404, 'not_found');
    });
  }

  test('follows the path even if the path was not looked up yet [ERR-01]', async () => {
    const headers = { host: 'two, hosts' };
    const { status, body } = await server.call('/v1/messages/x', { headers });
    expect({ status, members: Object.keys(body), type: body.error.type }).toEqual({
      status: 400,
      members: ['type', 'error'],
      type: 'invalid_request_error',
    });
    expectRefusal(await server.call('/v1/models', { headers }), 400, 'invalid_request');
  });
});

describe('an address', () => {
  test('returns 404 if it is unknown [ERR-20]', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expectRefusal(await server.call('/v1/nope', { method }), 404, 'not_found');
    for (const method of ['GET', 'POST'])
      expect((await server.call('/v1/messages/x/y', { method })).body.error.code).toBe('not_found');
    for (const path of ['/v1/chat/completions/x', '/v1/models/%ff', '/v1//models', '/v1/Models'])
      expect({ path, status: (await server.call(path)).status }).toEqual({ path, status: 404 });
  });

  test('lists its methods if the method is wrong [ERR-21] [ERR-22]', async () => {
    for (const [method, path, allow] of [
      ['GET', CHAT, 'POST, OPTIONS'],
      ['DELETE', CHAT, 'POST, OPTIONS'],
      ['PUT', '/v1/models', 'GET, HEAD, OPTIONS'],
      ['POST', '/v1/models/test-plain', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/admin/v1/accounts', 'POST, GET, HEAD, OPTIONS'],
      ['HEAD', CHAT, 'POST, OPTIONS'],
    ] as const) {
      const answer = await server.call(path, { method });
      expect({ method, path, status: answer.status, allow: answer.headers.get('allow') }).toEqual({
        method,
        path,
        status: 405,
        allow,
      });
      if (method === 'HEAD') continue;
      expectRefusal(answer, 405, 'method_not_allowed');
      const accepted = `${allow.split(', ').slice(0, -1).join(', ')} and OPTIONS`;
      expect(answer.body.error.message).toBe(
        `This address does not accept ${method}. It accepts ${accepted}.`,
      );
    }
  });

  test('of an endpoint that this server does not have is 404 [ERR-20]', async () => {
    for (const path of ['/v1/realtime', '/v1/files'])
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
        const answer = await server.call(path, { method });
        expectRefusal(answer, 404, 'not_found');
        expect(answer.text).not.toContain('response');
      }
  });

  test('suggests the right base URL if /v1 is missing or doubled [ERR-53]', async () => {
    for (const [path, meant] of [
      ['/chat/completions', CHAT],
      ['/models', '/v1/models'],
      ['/models/test-plain', '/v1/models/test-plain'],
      ['/v1/v1/chat/completions', CHAT],
      ['/v1/v1/models', '/v1/models'],
    ]) {
      const { message } = expectRefusal(await server.call(path!, { body: {} }), 404, 'not_found');
      expect(message).toContain(meant);
      expect(message).toContain('base URL');
    }
  });

  test('without /v1 is a page for a browser alone: a GET that accepts HTML and carries no key [ERR-53]', async () => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/models', '/models/test-plain', '/batches', '/batches/x', '/responses', '/usage']) {
      const page = await server.call(path, { headers: { accept } });
      expect({ path, status: page.status, contentType: page.headers.get('content-type') }).toEqual({
        path,
        status: 200,
        contentType: 'text/html; charset=utf-8',
      });
      for (const options of [
        {},
        { headers: { accept: '*/*' } },
        { headers: { accept, ...bearer(key) } },
        { headers: { accept, 'x-api-key': key } },
        { headers: { accept }, method: 'POST' },
      ])
        expectRefusal(await server.call(path, options), 404, 'not_found');
    }
    expect((await server.call('/keys')).status).toBe(200);
  });
});

describe('the request id', () => {
  const idOf = ({ headers }: Answer): string => headers.get('x-svc-request-id')!;

  test('is unique on every answer and in the log [ERR-37]', async () => {
    const etag = (await server.call('/v1/models')).headers.get('etag')!;
    const answers = await Promise.all([
      ...Object.values(refused).map((ask) => ask()),
      server.chat(key, 'test-plain'),
      server.chat(key, 'test-plain', { stream: true }),
      server.chat(key, 'test-max'),
      server.call('/v1/models'),
      server.call('/v1/models', { headers: { 'if-none-match': etag } }),
      server.call('/v1/models', { method: 'HEAD' }),
      server.call(CHAT, { method: 'OPTIONS' }),
      server.call('/v1/messages/x'),
      server.admin('GET', '/accounts'),
    ]);
    const ids = answers.map(idOf);
    for (const id of ids) expect(id).toMatch(/^req_[0-9A-Za-z]{29}$/);
    expect(new Set(ids).size).toBe(ids.length);
    await waitFor(() => ids.every((id) => server.log().includes(`"request_id":"${id}"`)));
  });

  test('is also in the headers of each dialect [ERR-38]', async () => {
    for (const answer of [
      await server.chat(key, 'test-plain'),
      await server.call('/v1/models'),
      await server.call('/v1/nope'),
    ]) {
      expect(answer.headers.get('x-request-id')).toBe(idOf(answer));
      expect(answer.headers.get('request-id')).toBeNull();
    }
    const messages = await server.call('/v1/messages/x');
    expect(messages.headers.get('request-id')).toBe(idOf(messages));
    expect(messages.headers.get('x-request-id')).toBeNull();
  });
});

describe('reports the first of several faults in the documented order:', () => {
  const bad = { ...chatBody('nothing'), n: 'many' };
  const tooLarge = 'x'.repeat(10_485_761);
  const noMode = { 'x-svc-payment-mode': 'cash' };

  for (const [name, code, ask] of [
    ['the address before the key', 'not_found', () => server.call('/v1/nope', { body: '{' })],
    [
      'the method before the key',
      'method_not_allowed',
      () => server.call(CHAT, { method: 'PUT', body: '{' }),
    ],
    ['the key before the body', 'missing_api_key', () => post(tooLarge, {})],
    ['the key before JSON', 'invalid_api_key', () => post('{', bearer('no'))],
    ['the account before the size', 'account_suspended', () => post(tooLarge, bearer(suspended.key))],
    ['the account before JSON', 'account_suspended', () => post('{', bearer(suspended.key))],
    ['the size before JSON', 'body_too_large', () => post(tooLarge)],
    ['JSON before fields', 'invalid_json', () => post(`${JSON.stringify(bad).slice(0, -1)}`)],
    ['fields before the model', 'invalid_request', () => post(bad)],
    [
      'the model before the mode',
      'unknown_model',
      () => post(chatBody('nothing'), { ...bearer(key), ...noMode }),
    ],
    [
      'an unavailable model before the mode',
      'model_unavailable',
      () => post(chatBody('test-unrouted'), { ...bearer(key), ...noMode }),
    ],
    [
      'the mode before the plan',
      'invalid_request',
      () => post(chatBody('test-max'), { ...bearer(free.key), ...noMode }),
    ],
  ] as [string, string, () => Promise<Json>][]) {
    test(name, async () => {
      expect((await ask()).body.error.code).toBe(code);
    });
  }

  test("the plan before the key's own list", async () => {
    const only = await server.createKey('free', { allowed_models: ['test-small'] });
    expect((await server.chat(only.key, 'test-max')).body.error.code).toBe('plan_upgrade_required');
    expect((await server.chat(only.key, 'test-unrouted')).body.error.code).toBe('model_unavailable');
  });
});
