import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { startRecordingUpstream, streamed, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Usage beyond input, cached input and output, from the upstream's report to the receipt.

const upstream = startRecordingUpstream();
const rowOf = (id: string, fields: Json = {}) =>
  ableModel(id, [{ provider: `hidden-${id}`, model: `hidden-${id}` }], {
    pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
    ...fields,
  });
const prices = {
  web_search: 10,
  cache_write_1h: 2,
  audio_input: 32,
  fast: 6,
  priority: 2,
  inference_geo: 1.1,
};
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      ...['messages', 'bare', 'big', 'written'].map((id) => [id, 'anthropic-messages']),
      ['chat', 'openai-chat'],
      ['responses', 'openai-responses'],
    ].map(([id, wire]) => ({
      id: `hidden-${id}`,
      wire,
      base_url: upstream.url,
      ...(id === 'messages' && { allow_fields: ['fallbacks'] }),
    })),
    catalog: {
      default: false,
      models: [
        ...['messages', 'chat', 'responses'].map((id) => rowOf(id, { extras_usd: prices })),
        rowOf('written', { extras_usd: { cache_write_5m: 1.25 } }),
        rowOf('bare', { aliases: ['hidden-big', 'other-name'] }),
        rowOf('big', { plan: 'pro', pricing_usd_per_mtok: { input: 10, output: 40, cached_input: 1 } }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const message = { id: 'x', type: 'message', role: 'assistant', model: 'x', stop_sequence: null };

/** Makes an answer of the messages protocol. A stream reports the iterations and the tools at its end. */
const answerMessage =
  ({ iterations = null, server_tool_use = null, ...usage }: Json): UpstreamAnswer =>
  ({ body: { stream } }) => {
    const closing = { iterations, server_tool_use, output_tokens: usage.output_tokens };
    if (!stream) {
      const content = [{ type: 'text', text: 'word' }];
      return Response.json({ ...message, content, stop_reason: 'end_turn', usage: { ...usage, ...closing } });
    }
    return streamed(
      typedEvent('message_start', {
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }) +
        typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
        typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'word' } }) +
        typedEvent('content_block_stop', { index: 0 }) +
        typedEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: closing }) +
        typedEvent('message_stop'),
    );
  };

const answers = {
  messages: ['/v1/messages', { max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }],
  chat: ['/v1/chat/completions', { max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }],
  responses: ['/v1/responses', { max_output_tokens: 100, input: 'hi' }],
} as const;

/** Sends a request and returns its receipt. */
async function receiptOf(
  dialect: keyof typeof answers,
  model: string,
  answer: UpstreamAnswer,
  fields: Json = {},
) {
  upstream.answer(`hidden-${model}`, answer);
  const [path, base] = answers[dialect];
  const body = { model, ...base, ...fields };
  const { headers, text } = expectOk(await server.call(path, { headers: bearer(key), body }));
  const id = headers.get('x-svc-request-id')!;
  const receipt = expectOk(await server.call(`/v1/usage/${id}`, { headers: bearer(key) })).body;
  return { receipt, text };
}

const USD = 500_000_000;
const usdOf = ({ receipt }: { receipt: Json }): number => receipt.microcredits / USD;
const rowsOf = ({ receipt }: { receipt: Json }): Json =>
  Object.fromEntries(receipt.prices.map((row: Json) => [row.kind, row.calls ?? row.tokens]));

const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0 };
const own = { type: 'message', model: 'x', ...usage };
const PLAIN = (100 + 20 * 4) / 1e6;

describe.each([false, true])('usage of the messages protocol (streamed: %p)', (stream) => {
  test('a compaction is billed to the token [CRD-46]', async () => {
    const compaction = { type: 'compaction', input_tokens: 9_000, output_tokens: 700 };
    const iterations = [{ ...compaction, cache_read_input_tokens: 500 }, own];
    const reported = await receiptOf('messages', 'messages', answerMessage({ ...usage, iterations }), {
      stream,
    });
    expect(usdOf(reported)).toBeCloseTo(PLAIN + (9_000 + 500 * 0.1 + 700 * 4) / 1e6, 9);
    expect(rowsOf(reported)).toMatchObject({
      uncached_input: 100,
      output: 20,
      compaction_input: 9_000,
      compaction_cached_input: 500,
      compaction_output: 700,
    });
    expect(reported.receipt.explanation).toContain('a compaction of the conversation');
    // The client sees the upstream's own report.
    expect(reported.text).toContain('"type":"compaction"');
    expect(reported.text).not.toContain('"input_tokens":9100');
  });

  const namedModels: [what: string, fields: (model: string) => Json, param: string][] = [
    [
      'an advisor',
      (model) => ({ tools: [{ type: 'advisor_20260301', name: 'advisor', model }] }),
      'tools[0].model',
    ],
    [
      'an advisor of a later turn',
      (model) => {
        const definition = { type: 'advisor_20260301', name: 'advisor', model };
        const content = [{ type: 'tool_addition', tool: { type: 'tool_definition', definition } }];
        const user = { role: 'user', content: 'Hi.' };
        return { messages: [user, { role: 'system', content }, user] };
      },
      'messages[1].content[0].tool.definition.model',
    ],
    ['a fallback', (model) => ({ fallbacks: [{ model }] }), 'fallbacks[0].model'],
  ];

  test.each(
    namedModels,
  )('a request cannot name a model as %s that the catalog lacks or that its key may not use [CRD-52]', async (_, fieldsOf, param) => {
    const limited = await server.createKey('enterprise', { allowed_models: ['messages'] });
    const small = await server.createKey('starter');
    upstream.answer('hidden-messages', answerMessage(usage));
    const ask = async (model: string, { key } = limited) => {
      const messages = [{ role: 'user', content: 'Hi.' }];
      const body = { model: 'messages', max_tokens: 50, stream, messages, ...fieldsOf(model) };
      const answer = await server.call('/v1/messages', { headers: bearer(key), body });
      return { status: answer.status, ...answer.body?.error };
    };
    const at = new RegExp(`^${RegExp.escape(param)}: There is no model`);
    expect((await ask('messages')).status).toBe(200);
    // The vendor may have another model of that name than the alias stands for.
    for (const name of ['messages-latest', 'unlisted', 'other-name'])
      expect(await ask(name)).toMatchObject({
        status: 422,
        code: 'route_not_qualified',
        message: expect.stringMatching(at),
      });
    for (const name of ['big', 'hidden-big', 'hidden-big-20260101'])
      expect(await ask(name)).toMatchObject({ status: 403, code: 'permission_denied' });
    for (const name of ['big', 'hidden-big'])
      expect((await ask(name, small)).code).toBe('plan_upgrade_required');
  });

  test.each(
    namedModels,
  )('the upstream gets its own name for a model that is named as %s', async (_, fieldsOf, param) => {
    let sent: Json = {};
    upstream.answer('hidden-messages', (request) => {
      sent = request.body;
      return answerMessage(usage)(request);
    });
    const memberOf = (path: string): Json =>
      path.match(/\w+/g)!.reduce((at: Json, step: string) => at?.[step], sent);
    for (const [name, own] of [
      ['messages', 'hidden-messages'],
      ['hidden-messages', 'hidden-messages'],
      ['hidden-messages-20260101', 'hidden-messages-20260101'],
    ]) {
      const body = {
        model: 'messages',
        max_tokens: 50,
        stream,
        messages: [{ role: 'user', content: 'Hi.' }],
      };
      const answer = await server.call('/v1/messages', {
        headers: bearer(key),
        body: { ...body, ...fieldsOf(name!) },
      });
      expect({ status: answer.status, member: memberOf(param) }).toEqual({ status: 200, member: own! });
    }
  });

  test('a request cannot leave the choice of its fallbacks to the vendor [CRD-52]', async () => {
    const body = { model: 'messages', max_tokens: 50, stream, messages: [{ role: 'user', content: 'Hi.' }] };
    const answer = await server.call('/v1/messages', {
      headers: bearer(key),
      body: { ...body, fallbacks: 'default' },
    });
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status: 422,
      message: expect.stringMatching(/^fallbacks: /),
    });
  });

  test("an advisor's tokens are billed at the advisor's rates", async () => {
    const advisor = { type: 'advisor_message', model: 'hidden-big', input_tokens: 200, output_tokens: 50 };
    const answer = answerMessage({ ...usage, iterations: [own, advisor] });
    const reported = await receiptOf('messages', 'messages', answer, { stream });
    expect(usdOf(reported)).toBeCloseTo(PLAIN + (200 * 10 + 50 * 40) / 1e6, 9);
    expect(reported.receipt.prices).toContainEqual(
      expect.objectContaining({ kind: 'advisor_input', tokens: 200, usd_per_mtok: 10, model: 'big' }),
    );
  });

  test('searches and long cache lifetimes are billed at their prices', async () => {
    const cache_creation = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 300 };
    const answer = answerMessage({
      ...usage,
      cache_creation_input_tokens: 400,
      cache_creation,
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 9 },
    });
    const reported = await receiptOf('messages', 'messages', answer, { stream });
    expect(usdOf(reported)).toBeCloseTo(PLAIN + (100 + 300 * 2) / 1e6 + 0.03, 9);
    expect(rowsOf(reported)).toEqual({
      uncached_input: 100,
      cached_input: 0,
      cache_write_input: 100,
      output: 20,
      cache_write_1h: 300,
      web_search: 3,
    });
  });

  test('cache writes without a reported lifetime are billed at the price of the default one', async () => {
    const answer = answerMessage({ ...usage, cache_creation_input_tokens: 400 });
    const reported = await receiptOf('messages', 'written', answer, { stream });
    expect(usdOf(reported)).toBeCloseTo(PLAIN + (400 * 1.25) / 1e6, 9);
    expect(rowsOf(reported)).toMatchObject({ cache_write_input: 0, cache_write_5m: 400 });
  });

  test('a model without prices bills such tokens by its three rates', async () => {
    const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 300 };
    const answer = answerMessage({
      ...usage,
      cache_creation_input_tokens: 300,
      cache_creation,
      speed: 'fast',
    });
    expect(usdOf(await receiptOf('messages', 'bare', answer, { stream }))).toBeCloseTo(PLAIN + 300 / 1e6, 9);
  });

  test('is billed in the same way through another protocol', async () => {
    const compaction = { type: 'compaction', input_tokens: 9_000, output_tokens: 700 };
    const answer = answerMessage({ ...usage, iterations: [compaction, own] });
    const reported = await receiptOf('chat', 'messages', answer, { stream });
    expect(usdOf(reported)).toBeCloseTo(PLAIN + (9_000 + 700 * 4) / 1e6, 9);
  });
});

test.each([
  false,
  true,
])('image tokens of a response are billed and on the receipt (streamed: %p)', async (stream) => {
  const item = { type: 'image_generation_call', id: 'a', status: 'completed', result: 'aGk=' };
  const response = {
    id: 'x',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: 'x',
    output: [item],
    usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
    tool_usage: { image_gen: { input_tokens: 50, output_tokens: 1_056, total_tokens: 1_106 } },
  };
  const answer = () =>
    stream
      ? streamed(
          typedEvent('response.output_item.done', { output_index: 0, item }) +
            typedEvent('response.completed', { response }),
        )
      : Response.json(response);
  const reported = await receiptOf('responses', 'responses', answer, { stream });
  expect(usdOf(reported)).toBeCloseTo(PLAIN + (50 + 1_056 * 4) / 1e6, 9);
  expect(rowsOf(reported)).toMatchObject({ image_input: 50, image_output: 1_056, output: 20 });
  expect(reported.receipt.explanation).toContain('generated images');
});

test("a response's searches are billed", async () => {
  const output = [
    { type: 'web_search_call', id: 'a', status: 'completed', action: { type: 'search', query: 'x' } },
    {
      type: 'message',
      id: 'b',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'word', annotations: [] }],
    },
  ];
  const reported = await receiptOf('responses', 'responses', () =>
    Response.json({
      id: 'x',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'x',
      output,
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
    }),
  );
  expect(usdOf(reported)).toBeCloseTo(PLAIN + 0.01, 9);
});

test('audio tokens are billed at their price', async () => {
  const reported = await receiptOf('chat', 'chat', () =>
    Response.json({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      choices: [{ index: 0, message: { role: 'assistant', content: 'word' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { audio_tokens: 60, cached_tokens: 0 },
      },
    }),
  );
  expect(usdOf(reported)).toBeCloseTo(PLAIN + (60 * 31) / 1e6, 9);
});

test('usage without a price is counted by model and dimension', async () => {
  const counted = async (model: string, dimension: string): Promise<number> => {
    const line = `tollgate_unpriced_usage_total{model="${model}",dimension="${dimension}"} `;
    const { text } = await server.call('/metrics');
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(line))
        ?.slice(line.length) ?? 0,
    );
  };
  const server_tool_use = { web_search_requests: 2 };
  const before = await counted('bare', 'web_search');
  await receiptOf('messages', 'bare', answerMessage({ ...usage, server_tool_use }));
  await waitFor(async () => (await counted('bare', 'web_search')) === before + 1);
  expect(await counted('messages', 'web_search')).toBe(0);
});

test('the chain of entries with such charges is whole', async () => {
  const { status, body } = await server.admin('GET', '/ledger/verify');
  expect({ status, faults: body.faults }).toEqual({ status: 200, faults: [] });
});
