import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { messagesBody } from '../support/messages-body.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModels } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
// Failing models without substitutes, so that their own failures are reported.
const models = sampleModels.map((model) => ({ ...model, delivery: 'exact' }));
const server = await startServer({ config: sampleConfig(upstream.url, { models }) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { account, key } = await server.createKey('enterprise');
const other = await server.createKey('enterprise');
const free = await server.createKey('free');
const suspended = await server.createKey('pro');
await server.admin('PATCH', `/accounts/${suspended.account}`, { status: 'suspended' });

const PATH = '/v1/messages';
const post = (body: unknown, headers: Record<string, string> = { 'x-api-key': key }): Promise<Answer> =>
  server.call(PATH, { headers, body });
const ask = (fields: Record<string, unknown>) => post(messagesBody('test-plain', fields));
const badRequest = (answer: Answer) =>
  expectMessagesError(answer, 400, ['invalid_request_error', 'invalid_request']);

describe('the key', () => {
  const good = messagesBody('test-plain');

  test('is accepted in x-api-key [AUT-05]', async () => {
    expect((await post(good, { 'x-api-key': key })).status).toBe(200);
  });

  test('is accepted as a bearer token [AUT-06]', async () => {
    expect((await post(good, bearer(key))).status).toBe(200);
  });

  test('is accepted in both headers [AUT-13]', async () => {
    expect((await post(good, { ...bearer(key), 'x-api-key': key })).status).toBe(200);
  });

  test('is refused if the headers have different keys [AUT-14]', async () => {
    const answer = await post(good, { ...bearer(key), 'x-api-key': other.key });
    expectMessagesError(answer, 401, ['authentication_error', 'invalid_api_key']);
  });
});

describe('an error', () => {
  const forbidden = server.createKey('enterprise', { account, allowed_models: ['test-small'] });
  const refused: [number, string, string, () => Promise<Answer>][] = [
    [400, 'invalid_request_error', 'invalid_json', () => post('{')],
    [400, 'invalid_request_error', 'invalid_request', () => ask({ max_tokens: 'many' })],
    [
      400,
      'invalid_request_error',
      'plan_upgrade_required',
      () => post(messagesBody('test-max'), bearer(free.key)),
    ],
    [401, 'authentication_error', 'missing_api_key', () => post(messagesBody('test-plain'), {})],
    [401, 'authentication_error', 'invalid_api_key', () => post(messagesBody('test-plain'), bearer('no'))],
    [
      403,
      'permission_error',
      'account_suspended',
      () => post(messagesBody('test-plain'), bearer(suspended.key)),
    ],
    [
      403,
      'permission_error',
      'permission_denied',
      async () => post(messagesBody('test-plain'), bearer((await forbidden).key)),
    ],
    [404, 'invalid_request_error', 'unknown_model', () => post(messagesBody('nothing'))],
    [405, 'invalid_request_error', 'method_not_allowed', () => server.call(PATH)],
    [413, 'invalid_request_error', 'body_too_large', () => post('x'.repeat(10_485_761))],
  ];

  test.each(
    refused,
  )('%d %s %s has the envelope of the dialect, and nothing else [ERR-01] [ERR-05]', async (status, type, code, fail) => {
    expectMessagesError(await fail(), status, [type, code]);
  });

  test('has that envelope for every path below /v1/messages, and the other envelope elsewhere [ERR-04]', async () => {
    for (const path of ['/batches/nothing/at/all', '/nope', '/count_tokens/nope']) {
      expectMessagesError(await server.call(PATH + path, { method: 'PUT' }), 404, [
        'invalid_request_error',
        'not_found',
      ]);
    }
    for (const path of ['/v1/messages-x', '/v1/nope', '/nope', '/v1/chat/nope'])
      expectRefusal(await server.call(path), 404, 'not_found');
    const body = chatBody('nothing');
    expectRefusal(
      await server.call('/v1/chat/completions', { headers: bearer(key), body }),
      404,
      'unknown_model',
      'model',
    );
  });

  test.each([
    'model',
    'max_tokens',
    'messages',
  ])('names the missing field: %s [MSG-11] [ERR-05]', async (field) => {
    expect(badRequest(await ask({ [field]: undefined }))).toStartWith(field);
  });

  const wrong: [string, Record<string, unknown>][] = [
    ['temperature', { temperature: 'hot' }],
    ['top_p', { top_p: [] }],
    ['stop_sequences', { stop_sequences: 'no' }],
    ['stop_sequences[1]', { stop_sequences: ['a', 2] }],
    ['stream', { stream: 'yes' }],
    ['max_tokens', { max_tokens: '5' }],
    ['max_tokens', { max_tokens: 0 }],
    ['system', { system: 5 }],
    ['tools', { tools: {} }],
    ['messages', { messages: 'hello' }],
    ['messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['thinking.type', { thinking: { type: 5 } }],
  ];
  test.each(wrong)('names the field of a wrong type: %s [MSG-30] [ERR-05]', async (path, fields) => {
    expect(badRequest(await ask(fields))).toStartWith(path);
  });

  test('refuses a user turn without content, and accepts null content [MSG-47]', async () => {
    for (const path of [PATH, '/v1/messages/count_tokens']) {
      const turns = (...messages: object[]) =>
        server.call(path, {
          headers: { 'x-api-key': key },
          body: { ...messagesBody('test-plain'), messages },
        });
      const first = { role: 'user', content: 'hello' };
      expect(badRequest(await turns({ role: 'user' }))).toContain('messages[0].content');
      expect(
        badRequest(await turns(first, { role: 'assistant', content: 'hi' }, { role: 'user' })),
      ).toContain('messages[2].content');
      expect((await turns({ role: 'user', content: null })).status).toBe(200);
    }
  });

  test('refuses an unknown tool choice [MSG-24]', async () => {
    const tools = [{ name: 'a', input_schema: { type: 'object' } }];
    expect(badRequest(await ask({ tools, tool_choice: { type: 'bogus' } }))).toStartWith('tool_choice.type');
  });

  test('for a thread asks the client to send the whole history [MSG-48]', async () => {
    const { status, body } = await ask({ thread: { type: 'create' } });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.error.details).toEqual({
      error_code: 'thread_unsupported_request',
      unsupported: ['thread'],
    });
  });
});

describe('a lack of capacity', () => {
  for (const status of [429, 503, 529]) {
    for (const stream of [false, true]) {
      test(`upstream (${status}) is 529, ${stream ? 'streamed' : 'whole'} [ERR-32]`, async () => {
        for (const name of ['plain', 'messages']) {
          upstream.answer(`hidden-test-${name}`, answerStatus(status, { 'retry-after': '7' }));
          const answer = await post(messagesBody(`test-${name}`, { stream }));
          expectMessagesError(answer, 529, ['overloaded_error', 'upstream_overloaded']);
          expect(answer.headers.get('retry-after')).toBe('7');
          expectNoTrace(answer, [upstream.port]);
        }
      });
    }
  }

  test('of the gateway is 529 [ERR-32]', async () => {
    await server.admin('POST', '/providers/hidden-openai-chat/drain');
    expectMessagesError(await ask({}), 529, ['overloaded_error', 'capacity_unavailable']);
    await server.admin('POST', '/providers/hidden-openai-chat/undrain');
  });

  test('is the only failure with 529', async () => {
    upstream.answer('hidden-test-messages', answerStatus(500));
    expectMessagesError(await post(messagesBody('test-messages')), 503, [
      'api_error',
      'upstream_unavailable',
    ]);
  });
});
