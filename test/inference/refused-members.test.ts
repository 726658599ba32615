import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { answerAnyWire } from '../support/answer-any-wire.ts';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires } from '../support/wire-models.ts';

const words = [
  'temperature',
  'top_p',
  'top_k',
  'penalties',
  'seed',
  'logit_bias',
  'verbosity',
  'parallel_tool_calls',
  'service_tier',
];
const upstream = startRecordingUpstream();
const rowOf = (wire: string, fields: Json = {}, name = wire) =>
  ableModel(`on-${name}`, [{ provider: `hidden-${wire}`, model: `hidden-${name}` }], {
    refuses: words,
    extras_usd: { priority: 2, flex: 0.5 },
    ...fields,
  });
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      ...chatWires.map((wire) => ({
        id: `hidden-${wire}`,
        wire,
        base_url: upstream.url,
        api_key: 'key',
      })),
      {
        id: 'hidden-two',
        wires: ['openai-chat', 'openai-responses'],
        base_url: upstream.url,
        api_key: 'key',
      },
      {
        id: 'hidden-strict',
        wire: 'openai-chat',
        base_url: upstream.url,
        api_key: 'key',
        refuses: ['prefill', 'forced_tool_choice', 'logprobs', 'image:gif'],
      },
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => rowOf(wire)),
        rowOf('openai-chat', { refuses: ['sampling'] }, 'sampling'),
        rowOf('openai-chat', { refuses: ['stop'] }, 'stop'),
        rowOf('openai-chat', { refuses: ['top_p_with_temperature'] }, 'one-sampler'),
        rowOf('anthropic-messages', { refuses: ['stop'] }, 'stop-messages'),
        rowOf('anthropic-messages', { refuses: ['thinking_budget'] }, 'budget'),
        rowOf('openai-chat', { refuses: ['service_tier:priority'] }, 'tier'),
        ableModel('two', [{ provider: 'hidden-two', model: 'hidden-two' }], { refuses: ['tools_on_chat'] }),
        ableModel('chat-only', [{ provider: 'hidden-openai-chat', model: 'hidden-chat-only' }], {
          refuses: ['tools_on_chat'],
        }),
        ableModel('strict', [{ provider: 'hidden-strict', model: 'hidden-strict' }]),
        ableModel('either', [
          { provider: 'hidden-strict', model: 'hidden-first' },
          { provider: 'hidden-anthropic-messages', model: 'hidden-second' },
        ]),
        ableModel('of-route', [
          { provider: 'hidden-openai-chat', model: 'hidden-of-route', refuses: ['seed'] } as Json as never,
        ]),
        ableModel('developer', [{ provider: 'hidden-openai-responses', model: 'hidden-developer' }], {
          system_as: 'developer',
        }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
for (const name of ['stop-messages', 'second', 'two', 'developer'])
  upstream.answer(`hidden-${name}`, answerAnyWire);
beforeEach(() => upstream.forget());
const key = await server.createKey('enterprise');

const ask = (path: string, body: Json, headers: Record<string, string> = {}) =>
  server.call(path, { headers: { ...bearer(key.key), ...headers }, body });
const lossesOf = ({ headers }: { headers: Headers }): string[] =>
  (headers.get('x-svc-translation-losses') ?? '').split(/,\s*/).filter(Boolean).toSorted();
const messages = [{ role: 'user', content: 'Hi.' }];
const sent = (): Json => upstream.requests[0]!.body;

const OPENAI_TOOL = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };

const dialects: Record<string, { path: string; asked: Json; losses: string[] }> = {
  chat: {
    path: '/v1/chat/completions',
    asked: {
      messages,
      temperature: 0.2,
      top_p: 0.5,
      seed: 4,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      logit_bias: { 50256: -1 },
      verbosity: 'low',
      parallel_tool_calls: false,
      tools: [OPENAI_TOOL],
      service_tier: 'flex',
    },
    losses: ['logit-bias', 'parallel-tool-calls', 'penalty', 'sampling', 'seed', 'service-tier', 'verbosity'],
  },
  messages: {
    path: '/v1/messages',
    asked: { messages, max_tokens: 9, temperature: 0.2, top_p: 0.5, top_k: 3 },
    losses: ['sampling', 'top-k'],
  },
  responses: {
    path: '/v1/responses',
    asked: {
      input: 'Hi.',
      temperature: 0.2,
      top_p: 0.5,
      text: { verbosity: 'low' },
      service_tier: 'priority',
      parallel_tool_calls: false,
    },
    losses: ['parallel-tool-calls', 'sampling', 'service-tier', 'verbosity'],
  },
};

const MEMBERS =
  /"(temperature|top_?[pP]|top_?[kK]|presence_?[pP]enalty|frequency_?[pP]enalty|seed|logit_bias|verbosity|parallel_tool_calls|service_tier)"/;

describe('preferences that a model refuses [RES-33]', () => {
  for (const [dialect, { path, asked, losses }] of Object.entries(dialects))
    for (const wire of chatWires)
      test(`are dropped and reported: ${dialect} on ${wire}`, async () => {
        const answer = await ask(path, { model: `on-${wire}`, ...asked });
        expect(JSON.stringify(sent())).not.toMatch(MEMBERS);
        expect(lossesOf(answer)).toEqual(expect.arrayContaining(losses));
        upstream.forget();
        const strict = await ask(path, { model: `on-${wire}`, ...asked }, { 'x-svc-strict': 'true' });
        expect({ status: strict.status, requestCount: upstream.requests.length }).toEqual({
          status: 422,
          requestCount: 0,
        });
      });

  test('leave the rest of the text as the client sent it', async () => {
    const text = `{"model":"on-openai-chat", "temperature": 0.2,\n "messages":[{"role":"user","content":"\\u0048i."}] , "x":1.0}`;
    await server.call('/v1/chat/completions', { headers: bearer(key.key), body: text });
    expect(sent()).toEqual({ model: 'hidden-openai-chat', messages, x: 1 });
  });

  test('are no loss where the request has none, or null', async () => {
    const body = { model: 'on-openai-chat', messages, temperature: null, seed: null };
    expect(lossesOf(await ask('/v1/chat/completions', body))).toEqual([]);
  });

  test('`sampling` stands for temperature, top_p and top_k', async () => {
    const body = { model: 'on-sampling', messages, temperature: 1, top_p: 1, top_k: 4, seed: 3 };
    expect(lossesOf(await ask('/v1/chat/completions', body))).toEqual(['sampling', 'top-k']);
    expect(sent()).toEqual({ model: 'hidden-sampling', messages, seed: 3 });
  });

  test('top_p can be refused beside a temperature only', async () => {
    const ofOne = (fields: Json) =>
      ask('/v1/chat/completions', { model: 'on-one-sampler', messages, ...fields });
    expect(lossesOf(await ofOne({ temperature: 1, top_p: 0.5 }))).toEqual(['sampling']);
    expect(sent()).toEqual({ model: 'hidden-one-sampler', messages, temperature: 1 });
    upstream.forget();
    expect(lossesOf(await ofOne({ top_p: 0.5 }))).toEqual([]);
    expect(sent()).toEqual({ model: 'hidden-one-sampler', messages, top_p: 0.5 });
  });

  test('a route and a provider have lists of their own', async () => {
    const body = { model: 'of-route', messages, temperature: 1, seed: 3 };
    expect(lossesOf(await ask('/v1/chat/completions', body))).toEqual(['seed']);
    expect(sent()).toEqual({ model: 'hidden-of-route', messages, temperature: 1 });
  });

  test('a service tier can be refused by its name, and is not billed', async () => {
    await ask('/v1/chat/completions', { model: 'on-tier', messages, service_tier: 'priority' });
    expect(sent().service_tier).toBeUndefined();
    upstream.forget();
    await ask('/v1/chat/completions', { model: 'on-tier', messages, service_tier: 'flex' });
    expect(sent().service_tier).toBe('flex');
  });

  test('a budget of thinking tokens becomes the nearest effort', async () => {
    const thinking = { type: 'enabled', budget_tokens: 9_000 };
    const body = { model: 'on-budget', messages, max_tokens: 20_000, thinking };
    expect(lossesOf(await ask('/v1/messages', body))).toEqual(['thinking-budget']);
    expect(sent()).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    upstream.forget();
    await ask('/v1/messages', { ...body, output_config: { effort: 'low' } });
    expect(sent()).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } });
  });

  test('stop sequences are not sent, and the gateway ends the answer', async () => {
    const chat = await ask('/v1/chat/completions', { model: 'on-stop', messages, stop: ['tw'] });
    expect(sent().stop).toBeUndefined();
    expect({ content: chat.body.choices[0].message.content, losses: lossesOf(chat) }).toEqual({
      content: 'one ',
      losses: [],
    });
    upstream.forget();
    const body = { model: 'on-stop-messages', messages, max_tokens: 9, stop_sequences: ['ll'] };
    const answer = await ask('/v1/messages', body);
    expect(sent().stop_sequences).toBeUndefined();
    expect(answer.body).toMatchObject({
      content: [{ text: 'he' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'll',
    });
  });
});

describe('requirements that a model refuses [RES-33]', () => {
  const gif = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
  const required: [what: string, path: string, fields: Json, param: string][] = [
    [
      'a last turn of the assistant',
      '/v1/chat/completions',
      { messages: [...messages, { role: 'assistant', content: 'I' }] },
      'messages',
    ],
    [
      'a last turn of the assistant',
      '/v1/responses',
      {
        input: [
          { role: 'user', content: 'Hi.' },
          { role: 'assistant', content: 'I' },
        ],
      },
      'input',
    ],
    [
      'a last turn of the assistant before a directive',
      '/v1/messages',
      {
        max_tokens: 9,
        messages: [
          ...messages,
          { role: 'assistant', content: 'I' },
          { role: 'system', content: 'Be brief.' },
        ],
      },
      'messages',
    ],
    [
      'a last turn of the assistant before an empty turn',
      '/v1/chat/completions',
      { messages: [...messages, { role: 'assistant', content: 'I' }, { role: 'user', content: '' }] },
      'messages',
    ],
    [
      'a last call without its result',
      '/v1/responses',
      { input: [...messages, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] },
      'input',
    ],
    [
      'a forced call',
      '/v1/chat/completions',
      { messages, tools: [OPENAI_TOOL], tool_choice: 'required' },
      'tool_choice',
    ],
    ['log probabilities', '/v1/chat/completions', { messages, logprobs: true }, 'logprobs'],
    [
      'a type of images',
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: gif } }] }] },
      'messages',
    ],
    [
      'a type of images in capitals',
      '/v1/responses',
      {
        input: [
          {
            role: 'user',
            content: [{ type: 'input_image', image_url: gif.replace('image/gif', 'Image/GIF') }],
          },
        ],
      },
      'input',
    ],
    [
      'a type of images',
      '/v1/messages',
      {
        max_tokens: 9,
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'image',
                source: { type: 'base64', media_type: 'image/gif', data: gif.split(',')[1] },
              },
            ],
          },
        ],
      },
      'messages',
    ],
  ];

  test.each(required)('are 422 with the member: %s on %s', async (_, path, fields, param) => {
    const answer = await ask(path, { model: 'strict', ...fields });
    expect({ status: answer.status, errorCode: answer.headers.get('x-svc-error-code') }).toEqual({
      status: 422,
      errorCode: 'route_not_qualified',
    });
    expect(answer.body.error.message).toStartWith(`${param}: `);
    expect(upstream.requests).toEqual([]);
  });

  test('an empty last turn of the assistant is none', async () => {
    const body = { model: 'strict', messages: [...messages, { role: 'assistant', content: '' }] };
    expect((await ask('/v1/chat/completions', body)).status).toBe(200);
  });

  test('are served by another route that takes them', async () => {
    const body = { messages: [...messages, { role: 'assistant', content: 'I' }] };
    expect((await ask('/v1/chat/completions', { model: 'either', ...body })).status).toBe(200);
    expect(upstream.requests.map(({ body: { model } }) => model)).toEqual(['hidden-second']);
  });

  test('tools go to another wire if the model takes none on chat completions', async () => {
    const body = { messages, tools: [OPENAI_TOOL] };
    expect((await ask('/v1/chat/completions', { model: 'two', ...body })).status).toBe(200);
    expect(upstream.requests[0]!.path).toEndWith('/responses');
    upstream.forget();
    await ask('/v1/chat/completions', { model: 'two', messages });
    expect(upstream.requests[0]!.path).toEndWith('/chat/completions');
    const refused = await ask('/v1/chat/completions', { model: 'chat-only', ...body });
    expect(refused).toMatchObject({ status: 422, body: { error: { param: 'tools' } } });
  });

  test('tools stay off chat completions also with a ceiling below what the responses wire accepts', async () => {
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
    const asked = { model: 'two', input: 'Hi.', max_output_tokens: 5 };
    await ask('/v1/responses', { ...asked, tools });
    expect(upstream.requests[0]!.path).toEndWith('/responses');
    upstream.forget();
    await ask('/v1/responses', asked);
    expect(upstream.requests[0]!.path).toEndWith('/chat/completions');
  });
});

test('system texts are the first developer message of a model with `system_as: developer`', async () => {
  const body = { model: 'developer', max_tokens: 50, system: 'Be brief.', messages };
  expect((await ask('/v1/messages', body)).status).toBe(200);
  const { input, ...rest } = sent();
  expect(rest).not.toHaveProperty('instructions');
  expect(input.map(({ role, content }: Json) => [role, content[0].text])).toEqual([
    ['developer', 'Be brief.'],
    ['user', 'Hi.'],
  ]);
  upstream.forget();
  await ask('/v1/responses', { model: 'developer', instructions: 'Be brief.', input: 'Hi.' });
  expect(sent()).toMatchObject({ instructions: 'Be brief.', input: 'Hi.' });
});

test('the list of models leaves refused parameters out [RES-33]', async () => {
  const { body } = await server.call('/v1/models', { headers: bearer(key.key) });
  const of = (id: string): string[] => body.data.find((one: Json) => one.id === id).supported_parameters;
  expect(of('on-openai-chat')).toEqual(
    of('developer').filter((name) => !MEMBERS.test(`"${name}"`) && name !== 'parallel_tool_calls'),
  );
  expect(of('on-stop')).toContain('stop');
  expect(of('strict')).not.toContain('forced_tool_choice');
});
