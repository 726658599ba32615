import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const wires = ['openai-responses', 'openai-chat', 'anthropic-messages'] as const;
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url, api_key: 'key' })),
    catalog: {
      default: false,
      models: wires.map((wire) =>
        ableModel(wire, [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }], {
          extras_usd: { web_search: 10, fast: 2, ultrafast: 3 },
        }),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(() => upstream.forget());
const key = await server.createKey('enterprise');
const ask = (path: string, body: Json) => server.call(path, { headers: bearer(key.key), body });
const lastEntry = async (): Promise<Json> =>
  (await server.admin('GET', `/accounts/${key.account}/ledger?limit=1`)).body.data[0];

const responseOf = (fields: Json = {}): Json => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'hidden',
  error: null,
  incomplete_details: null,
  instructions: null,
  output: [],
  parallel_tool_calls: true,
  metadata: {},
  tool_choice: 'auto',
  tools: [],
  temperature: 1,
  top_p: 1,
  usage: {
    input_tokens: 2_000,
    output_tokens: 0,
    total_tokens: 2_000,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 2_000 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
  ...fields,
});
const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const text = { type: 'output_text', text: 'fine', annotations: [] };
const transformation = { id: 'rs_1', action: 'removed', reason: 'model_mismatch', type: 'reasoning' };

function answerResponse(fields: Json): (request: { body: Json }) => Response {
  return ({ body }) => {
    const response = responseOf(fields);
    if (body.stream !== true) return Response.json(response);
    const events = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      { type: 'response.completed', response },
    ];
    const frames = events.map(
      (event, sequence_number) =>
        `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    );
    return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
  };
}

describe('prompt_cache_options.prewarm', () => {
  const body = { input: 'A long prompt.', prompt_cache_options: { prewarm: true } };

  test.each([false, true])('is answered without output and billed as input (stream: %s)', async (stream) => {
    upstream.answer('hidden-openai-responses', answerResponse({}));
    const answer = await ask('/v1/responses', { model: 'openai-responses', ...body, stream });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('event: error');
    expect(upstream.requests[0]!.body.prompt_cache_options).toEqual({ prewarm: true });
    const entry = await lastEntry();
    expect(entry.input_tokens).toBe(2_000);
    expect(entry.output_tokens).toBe(0);
    expect(entry.microcredits !== 0).toBe(true);
  });

  test('is 422 where the client would pay for an answer that it did not ask for', async () => {
    for (const wire of ['openai-chat', 'anthropic-messages']) {
      const answer = await ask('/v1/responses', { model: wire, ...body });
      expect(answer).toMatchObject({ status: 422, body: { error: { param: 'prompt_cache_options' } } });
    }
    expect(upstream.requests).toEqual([]);
  });
});

test.each([
  false,
  true,
])('input_transformations reaches the client of responses (stream: %s)', async (stream) => {
  const output = [{ ...said, content: [text] }];
  upstream.answer(
    'hidden-openai-responses',
    answerResponse({ output, input_transformations: [transformation] }),
  );
  const answer = await ask('/v1/responses', { model: 'openai-responses', input: 'hi', stream });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(JSON.stringify(transformation));
});

test.each([
  false,
  true,
])('input_transformations reaches the client of messages (stream: %s)', async (stream) => {
  const dropped = {
    type: 'thinking_dropped',
    reason: 'model_binding_mismatch',
    message_index: 1,
    block_index: 0,
  };
  const usage = { input_tokens: 9, output_tokens: 1 };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'hidden',
    content: [],
    usage,
    stop_reason: null,
    stop_sequence: null,
    input_transformations: [dropped],
  };
  const events: Json[] = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'fine' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
  upstream.answer('hidden-anthropic-messages', () =>
    stream
      ? new Response(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        })
      : Response.json({ ...message, stop_reason: 'end_turn', content: [{ type: 'text', text: 'fine' }] }),
  );
  const body = {
    model: 'anthropic-messages',
    max_tokens: 50,
    messages: [{ role: 'user', content: 'hi' }],
    stream,
  };
  const answer = await ask('/v1/messages', body);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(JSON.stringify(dropped));
});

test('return_token_budget of a priced web search reaches the vendor', async () => {
  upstream.answer('hidden-openai-responses', answerResponse({ output: [{ ...said, content: [text] }] }));
  const tools = [{ type: 'web_search', return_token_budget: 'unlimited' }];
  const answer = await ask('/v1/responses', { model: 'openai-responses', input: 'hi', tools });
  expect({ status: answer.status, tools: upstream.requests[0]!.body.tools }).toEqual({ status: 200, tools });
});

test.each([
  ['fast', 2],
  ['ultrafast', 3],
])('the tier %s is sent, and billed if it served the answer', async (tier, factor) => {
  upstream.answer('hidden-openai-responses', (request) =>
    answerResponse({
      output: [{ ...said, content: [text] }],
      service_tier: request.body.service_tier ?? 'default',
    })(request),
  );
  const cost = async (fields: Json): Promise<number> => {
    await ask('/v1/responses', { model: 'openai-responses', input: 'hi', ...fields });
    return Math.abs((await lastEntry()).microcredits);
  };
  const plain = await cost({});
  expect(await cost({ service_tier: tier })).toBe(plain * factor);
  expect(upstream.requests.at(-1)!.body.service_tier).toBe(tier);
});
