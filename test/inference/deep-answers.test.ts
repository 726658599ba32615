import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

// An upstream whose answers would take seconds to parse.
// They are refused unread, and the bystander is served.

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
/** Adds a member to the answer that no wire knows. */
const deepened = (answer: object): string => `${JSON.stringify(answer).slice(0, -1)},"extra":${DEEP}}`;

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const choice = { index: 0, finish_reason: 'stop' };
const message = {
  id: 'hidden',
  type: 'message',
  role: 'assistant',
  model: 'hidden',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'hello' }],
  usage: { input_tokens: 3, output_tokens: 2 },
};
const response = {
  id: 'hidden',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'hidden',
  output: [
    {
      type: 'message',
      id: 'hidden',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hello', annotations: [] }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
};

type Wire = { whole: object; frame?: object; event?: string };

/** A whole answer of each wire, and the first frame of a stream. */
const wires: Record<string, Wire> = {
  'openai-chat': {
    whole: { id: 'x', choices: [{ ...choice, message: { role: 'assistant', content: 'hello' } }], usage },
    frame: { id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' } }] },
  },
  'anthropic-messages': {
    whole: message,
    frame: { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    event: 'message_start',
  },
  'openai-responses': {
    whole: response,
    frame: { type: 'response.created', sequence_number: 0, response: { ...response, output: [] } },
    event: 'response.created',
  },
  'google-generate': {
    whole: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 },
    },
    frame: { candidates: [{ content: { role: 'model', parts: [{ text: 'hello' }] } }] },
  },
  'bedrock-converse': {
    whole: {
      output: { message: { role: 'assistant', content: [{ text: 'hello' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
    },
  },
  'openai-completions': {
    whole: { id: 'x', object: 'text_completion', choices: [{ ...choice, text: 'hello' }], usage },
    frame: { id: 'x', object: 'text_completion', choices: [{ index: 0, text: 'hello' }] },
  },
};

const capabilities = { tools: true, reasoning: false, vision: false, documents: false };
const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({
  config: {
    ...config,
    providers: Object.keys(wires).map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
      api_key: 'upstream-key',
    })),
    catalog: {
      default: false,
      models: [
        sampleModel('well'),
        sampleModel('calls', { capabilities }),
        ...Object.keys(wires).map((wire) => sampleModel(wire, {}, wire)),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

for (const [wire, { whole, frame, event }] of Object.entries(wires)) {
  upstream.answer(`hidden-${wire}`, ({ body, path }) => {
    const isStream = body?.stream === true || path.includes('stream');
    if (!isStream) return new Response(deepened(whole), { headers: { 'content-type': 'application/json' } });
    const head = event === undefined ? '' : `event: ${event}\n`;
    return streamed(`${head}data: ${deepened(frame!)}\n\n`);
  });

  for (const stream of frame ? [false, true] : [false])
    test(`treats ${stream ? 'a frame' : 'a whole answer'} of ${wire} that is nested too deep as invalid`, async () => {
      const paths = ['/v1/chat/completions', ...(wire === 'anthropic-messages' ? ['/v1/messages'] : [])];
      for (const path of paths) {
        const body = { ...chatBody(wire, { stream }), max_tokens: 100 };
        const [answer, bystander] = await Promise.all([
          server.call(path, { headers: { ...bearer(key), 'x-api-key': key }, body }),
          server.chat(key, 'well'),
        ]);
        expect({ path, status: answer.status, code: answer.body.error.code }).toEqual({
          path,
          status: 503,
          code: 'upstream_unavailable',
        });
        expect(bystander.status).toBe(200);
      }
    });
}

test('passes tool input that is nested too deep as text, whole and streamed', async () => {
  const text = `{"a":${DEEP}}`;
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: text } };
  const message = { role: 'assistant', content: null, tool_calls: [call] };
  const end = { index: 0, finish_reason: 'tool_calls' };
  upstream.answer('hidden-calls', ({ body }) => {
    if (!body.stream) return Response.json({ id: 'x', choices: [{ ...end, message }], usage });
    const chunks = [
      { index: 0, delta: message },
      { ...end, delta: {} },
    ];
    const events = chunks.map((choice) => `data: ${JSON.stringify({ id: 'x', choices: [choice] })}\n\n`);
    return streamed(`${events.join('')}data: [DONE]\n\n`);
  });
  const ask = (stream: boolean) =>
    server.call('/v1/messages', {
      headers: { 'x-api-key': key },
      body: {
        ...chatBody('calls', { stream }),
        max_tokens: 100,
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
      },
    });
  const whole = await ask(false);
  expect({ status: whole.status, content: whole.body.content }).toMatchObject({
    status: 200,
    content: [{ type: 'tool_use', name: 'look', input: { input: text } }],
  });
  const stream = await ask(true);
  expect(stream.text.includes('[[[['.repeat(1_000)) && stream.text.includes('message_stop')).toBe(true);
  expect((await server.chat(key, 'well')).status).toBe(200);
});
