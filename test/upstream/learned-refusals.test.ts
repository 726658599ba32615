import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { answerAnyWire } from '../support/answer-any-wire.ts';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const wires = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
const config = {
  simulator: { mode: 'off' },
  providers: wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url, api_key: 'key' })),
  catalog: {
    default: false,
    models: [
      ...wires.map((wire) =>
        ableModel(wire, [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }], {
          extras_usd: { flex: 0.5 },
        }),
      ),
      ableModel('by-budget', [{ provider: 'hidden-anthropic-messages', model: 'hidden-by-budget' }], {
        reasoning_efforts: [],
      }),
      ableModel('any-tier', [{ provider: 'hidden-openai-chat', model: 'hidden-any-tier' }], {
        allow_unpriced: ['service_tier'],
      }),
      ableModel('both', [
        { provider: 'hidden-openai-chat', model: 'hidden-first' },
        { provider: 'hidden-anthropic-messages', model: 'hidden-second' },
      ]),
    ],
  },
};
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
afterEach(async () => {
  upstream.forget();
  await server.admin('DELETE', '/refusals');
});
const key = await server.createKey('enterprise');

const messages = [{ role: 'user', content: 'Hi.' }];
const ask = (model: string, fields: Json = {}, headers: Record<string, string> = {}) => {
  const dialect = model === 'anthropic-messages' ? '/v1/messages' : '/v1/chat/completions';
  const body = { model, messages, max_tokens: 50, ...fields };
  return server.call(dialect, { headers: { ...bearer(key.key), ...headers }, body });
};
const lossesOf = ({ headers }: { headers: Headers }) => headers.get('x-svc-translation-losses');
const learned = async (): Promise<Json[]> => (await server.admin('GET', '/refusals')).body.data;
const sent = (): Json[] => upstream.requests.map(({ body }) => body);

/** Refuses a request with one of the members as OpenAI does, and answers others. */
const refusing =
  (names: readonly string[], error: (name: string) => Json): UpstreamAnswer =>
  (request) => {
    const name = names.find((each) => request.body[each] !== undefined);
    return name ? Response.json({ error: error(name) }, { status: 400 }) : answerAnyWire(request);
  };
const unsupported = (name: string): Json => ({
  message: `Unsupported parameter: '${name}' is not supported with this model.`,
  type: 'invalid_request_error',
  param: name,
  code: 'unsupported_parameter',
});
const deprecated = (name: string): Json => ({
  type: 'invalid_request_error',
  message: `\`${name}\` is deprecated for this model.`,
});

describe('a member that an upstream refuses [RES-34]', () => {
  const cases: [wire: string, member: string, value: unknown, error: (name: string) => Json][] = [
    ['openai-chat', 'temperature', 0.2, unsupported],
    ['openai-chat', 'top_p', 0.5, (name) => ({ ...unsupported(name), param: null })],
    [
      ...(['openai-chat', 'temperature', 0.2] as const),
      (name) => ({
        message: `Unsupported value: '${name}' does not support 0.2 with this model. Only the default (1) value is supported.`,
        type: 'invalid_request_error',
        param: name,
        code: 'unsupported_value',
      }),
    ],
    ['openai-chat', 'seed', 4, (name) => ({ message: `${name}: Extra inputs are not permitted` })],
    [
      'openai-chat',
      'presence_penalty',
      1,
      (name) => ({ message: `Unrecognized request argument supplied: ${name}` }),
    ],
    ['openai-responses', 'temperature', 0.2, unsupported],
    ['anthropic-messages', 'temperature', 0.2, deprecated],
    ['anthropic-messages', 'top_k', 3, (name) => ({ message: `${name}: Extra inputs are not permitted` })],
  ];

  test.each(cases)('is left out by one more call on %s: %s', async (wire, member, value, error) => {
    upstream.answer(`hidden-${wire}`, refusing([member], error));
    const answer = await ask(wire, { [member]: value });
    expect([answer.status, sent().length, member in sent()[0]!, member in sent()[1]!]).toEqual([
      200,
      2,
      true,
      false,
    ]);
    expect(lossesOf(answer)).not.toBeNull();
    const [entry] = (await server.admin('GET', `/accounts/${key.account}/ledger?limit=1`)).body.data;
    expect(entry.receipt.attempts).toBe(2);

    upstream.forget();
    const later = await ask(wire, { [member]: value });
    expect({ status: later.status, count: sent().length, losses: lossesOf(later) }).toEqual({
      status: 200,
      count: 1,
      losses: lossesOf(answer),
    });
    expect(await learned()).toEqual([
      {
        provider: `hidden-${wire}`,
        model: `hidden-${wire}`,
        requests: 2,
        member: expect.any(String),
        row: expect.stringMatching(/^refuses: \[\w+\]$/),
        learned_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
  });

  test('is left out beside the other, if the upstream takes only one of two', async () => {
    upstream.answer('hidden-anthropic-messages', (request) =>
      request.body.temperature !== undefined && request.body.top_p !== undefined
        ? Response.json(
            { error: { message: '`temperature` and `top_p` cannot both be specified for this model.' } },
            { status: 400 },
          )
        : answerAnyWire(request),
    );
    const answer = await ask('anthropic-messages', { temperature: 0.2, top_p: 0.9 });
    expect({ status: answer.status, temperature: sent()[1]!.temperature, top_p: sent()[1]!.top_p }).toEqual({
      status: 200,
      temperature: 0.2,
      top_p: undefined,
    });
    await ask('anthropic-messages', { top_p: 0.9 });
    expect(sent()[2]!.top_p).toBe(0.9);
  });

  test('is forgotten after an hour or by an operator', async () => {
    upstream.answer('hidden-openai-chat', refusing(['temperature'], unsupported));
    await ask('openai-chat', { temperature: 0.2 });
    expect((await server.admin('DELETE', '/refusals')).body).toEqual({ forgotten: 1 });
    const { body } = await server.admin('GET', '/audit?action=refusals-forget&limit=1');
    expect(body.data).toMatchObject([{ target: 'refusals', after: { forgotten: 1 } }]);
    upstream.forget();
    await ask('openai-chat', { temperature: 0.2 });
    expect(sent().length).toBe(2);
  });

  test('causes at most one more call of a request, whatever else the upstream refuses', async () => {
    upstream.answer('hidden-openai-chat', refusing(['temperature', 'top_p'], unsupported));
    const answer = await ask('openai-chat', { temperature: 0.2, top_p: 0.5 });
    expect(answer.status).toBe(400);
    expect(sent()).toHaveLength(2);
    expect(await learned()).toEqual([]);
  });

  test('is left out at the target that refused it, not at the next one', async () => {
    upstream.answer('hidden-first', refusing(['temperature'], unsupported));
    upstream.answer('hidden-second', answerAnyWire);
    await ask('both', { temperature: 0.2 });
    expect(sent().map(({ model }) => model)).toEqual(['hidden-first', 'hidden-first']);
  });

  test('is left out in a stream and in each of several answers', async () => {
    upstream.answer('hidden-openai-chat', (request) =>
      request.body.temperature === undefined
        ? new Response(
            'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{"content":"one"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
            { headers: { 'content-type': 'text/event-stream' } },
          )
        : Response.json({ error: unsupported('temperature') }, { status: 400 }),
    );
    const answer = await ask('openai-chat', { temperature: 0.2, stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('one');
    expect(sent()).toHaveLength(2);
  });
});

describe('a member that the gateway itself wrote [RES-34]', () => {
  test('is left out too: a budget of thinking tokens that stands for an effort', async () => {
    upstream.answer('hidden-by-budget', (request) =>
      request.body.thinking?.type === 'enabled'
        ? Response.json(
            {
              type: 'error',
              error: {
                type: 'invalid_request_error',
                message:
                  '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".',
              },
            },
            { status: 400 },
          )
        : answerAnyWire(request),
    );
    const body = { model: 'by-budget', messages, max_tokens: 9_000, reasoning_effort: 'high' };
    const call = () => server.call('/v1/chat/completions', { headers: bearer(key.key), body });
    expect({ status: (await call()).status, count: sent().length }).toEqual({ status: 200, count: 2 });
    expect(sent()[1]).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } });
    expect((await learned()).map(({ member }) => member)).toEqual(['thinking_budget']);
    expect({ status: (await call()).status, count: sent().length }).toEqual({ status: 200, count: 3 });
  });

  test('is left out of each of several answers', async () => {
    upstream.answer('hidden-anthropic-messages', refusing(['temperature'], deprecated));
    const body = { model: 'anthropic-messages', messages, max_tokens: 50, temperature: 0.2, n: 3 };
    const answer = await server.call('/v1/chat/completions', { headers: bearer(key.key), body });
    expect({ status: answer.status, choiceCount: answer.body.choices?.length }).toEqual({
      status: 200,
      choiceCount: 3,
    });
    expect(sent().filter((one) => 'temperature' in one).length).toBeGreaterThan(0);
    expect(sent().length).toBeLessThanOrEqual(6);
  });
});

test('learned refusals do not touch a strict request, which insists on its members [RES-34]', async () => {
  upstream.answer('hidden-openai-chat', refusing(['temperature'], unsupported));
  await ask('openai-chat', { temperature: 0.2 });
  expect((await learned()).length).toBe(1);
  upstream.forget();
  upstream.answer('hidden-openai-chat', answerAnyWire);
  const strict = await ask('openai-chat', { temperature: 0.2 }, { 'x-svc-strict': 'true' });
  expect({ status: strict.status, temperature: sent()[0]!.temperature }).toEqual({
    status: 200,
    temperature: 0.2,
  });
});

describe('an error is passed on after one call [RES-34]', () => {
  const about = (message: string, rest: Json = {}): Json => ({
    message,
    type: 'invalid_request_error',
    ...rest,
  });
  const others: [what: string, error: Json, fields: Json][] = [
    ['of a value', about("Invalid 'temperature': above the maximum of 2.", { param: 'temperature' }), {}],
    [
      'of a value with a list',
      about(
        "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are: 'medium'.",
        {
          param: 'verbosity',
          code: 'unsupported_value',
        },
      ),
      { verbosity: 'low' },
    ],
    [
      'that quotes the request',
      about("Invalid schema for function 'temperature': 'temperature' is not supported as a keyword.", {
        param: 'tools[0].function.parameters',
      }),
      {},
    ],
    [
      'that quotes the request without a field',
      about("tools.0: property 'temperature' is not supported"),
      {},
    ],
    ['of a requirement', about("Unsupported parameter: 'tools' is not supported.", { param: 'tools' }), {}],
    [
      'of a ceiling',
      about("Unsupported parameter: 'max_tokens' is not supported.", { param: 'max_tokens' }),
      {},
    ],
    [
      'of a member that was not sent',
      about("Unsupported parameter: 'seed' is not supported.", { param: 'seed' }),
      {},
    ],
  ];

  test.each(others)('%s', async (_, error, fields) => {
    upstream.answer('hidden-openai-chat', () => Response.json({ error }, { status: 400 }));
    const answer = await ask('openai-chat', { temperature: 0.2, ...fields });
    expect(answer.status).toBe(400);
    expect(sent()).toHaveLength(1);
    expect(await learned()).toEqual([]);
  });

  test('of a strict request', async () => {
    upstream.answer('hidden-openai-chat', refusing(['temperature'], unsupported));
    const answer = await ask('openai-chat', { temperature: 0.2 }, { 'x-svc-strict': 'true' });
    expect({ status: answer.status, count: sent().length }).toEqual({ status: 400, count: 1 });
  });

  test('and nothing is learned if the upstream refuses the request without the member too', async () => {
    upstream.answer('hidden-openai-chat', () =>
      Response.json({ error: unsupported('temperature') }, { status: 400 }),
    );
    expect((await ask('openai-chat', { temperature: 0.2 })).status).toBe(400);
    expect(sent()).toHaveLength(2);
    expect(await learned()).toEqual([]);
  });
});

test('a tier is learned by its name, so that others are still sent', async () => {
  upstream.answer('hidden-openai-chat', (request) =>
    request.body.service_tier === 'flex'
      ? Response.json({ error: unsupported('service_tier') }, { status: 400 })
      : answerAnyWire(request),
  );
  await ask('openai-chat', { service_tier: 'flex' });
  expect((await learned()).map(({ member }) => member)).toEqual(['service_tier:flex']);
});

test('a tier that no vendor has is not learned, since clients choose its name', async () => {
  upstream.answer('hidden-any-tier', refusing(['service_tier'], unsupported));
  for (const service_tier of ['one', 'two'])
    expect((await ask('any-tier', { service_tier })).status).toBe(400);
  expect(sent()).toHaveLength(2);
  expect(await learned()).toEqual([]);
});

test('a refusal is in the log and in a metric, with the row for the catalog', async () => {
  upstream.answer('hidden-openai-chat', refusing(['temperature'], unsupported));
  await ask('openai-chat', { temperature: 0.2 });
  const { text } = await server.call('/metrics');
  expect(text).toMatch(
    /tollgate_learned_refusals_total\{provider="hidden-openai-chat",model="hidden-openai-chat",member="temperature"\} [1-9]/,
  );
  await waitFor(() => /"event":"refusal-learned".*"row":"refuses: \[temperature\]"/.test(server.log()));
});

test('without `learn_refusals` the error is passed on, and what was learned is forgotten [RES-34]', async () => {
  upstream.answer('hidden-openai-chat', refusing(['temperature'], unsupported));
  await ask('openai-chat', { temperature: 0.2 });
  expect((await learned()).length).toBe(1);
  server.configure({ ...config, routing: { learn_refusals: false } });
  expect((await server.reload()).status).toBe(200);
  upstream.forget();
  expect((await ask('openai-chat', { temperature: 0.2 })).status).toBe(400);
  expect(sent()).toHaveLength(1);
  expect(await learned()).toEqual([]);
  server.configure(config);
  await server.reload();
});
