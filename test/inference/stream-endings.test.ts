import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const wires = ['openai-chat', 'anthropic-messages'] as const;
type Wire = (typeof wires)[number];

const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url })),
    catalog: {
      default: false,
      models: wires.map((wire) =>
        ableModel(`on-${wire}`, [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }]),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const event = (data: { type: string } & Record<string, unknown>) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'hidden', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const usage = { input_tokens: 3, output_tokens: 2 };
/** The text that clients receive. */
const counts = { ...usage, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const message = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden', content: [] };
const block = (index: number, content_block: object, deltas: object[]) => [
  event({ type: 'content_block_start', index, content_block }),
  ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
  event({ type: 'content_block_stop', index }),
];
const start = event({ type: 'message_start', message: { ...message, usage } });
const said = [
  { type: 'text_delta', text: 'one ' },
  { type: 'text_delta', text: 'two' },
];
const ending = event({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage,
});
const stop = event({ type: 'message_stop' });
const thought = [
  { type: 'thinking_delta', thinking: 'hidden thought' },
  { type: 'signature_delta', signature: 'hidden' },
];
const text = { type: 'text', text: '' };

/** Begins with text and then holds on. */
const beginnings: Record<Wire, string> = {
  'openai-chat': chunk({ role: 'assistant', content: 'one ' }),
  'anthropic-messages': start + block(0, text, said).slice(0, 2).join(''),
};
/** Closes normally, but without the event that ends an answer. */
const unfinished: Record<Wire, string[]> = {
  'openai-chat': [beginnings['openai-chat']],
  'anthropic-messages': [
    beginnings['anthropic-messages'],
    start + block(0, text, said).join(''),
    start + block(0, text, said).join('') + ending,
  ],
};
/** Reasons although the client did not request it. */
const thoughtful: Record<Wire, string> = {
  'openai-chat': `${chunk({ role: 'assistant', reasoning_content: 'hidden thought' })}${chunk({ content: 'one two' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  'anthropic-messages': [
    start,
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, thought),
    ...block(1, text, said),
    ending,
    stop,
  ].join(''),
};

const headers = bearer(key);
const dialects = [
  { name: 'chat completions', path: '/v1/chat/completions', body: chatBody, code: /"error":\{/ },
  { name: 'messages', path: '/v1/messages', body: messagesBody, code: /event: error\n/ },
];
const cases = dialects.flatMap((dialect) => wires.map((wire) => ({ ...dialect, wire })));

describe.each(cases)('$name on $wire', ({ path, body, wire, code, name }) => {
  const send = (fields = {}) =>
    server.call(path, { headers, body: body(`on-${wire}`, { stream: true, ...fields }) });

  test('ends the upstream call at once when the client leaves [STR-22]', async () => {
    upstream.forget();
    const beginning = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(beginnings[wire])),
    });
    upstream.answer(`hidden-${wire}`, () => streamed(beginning));
    const leaving = new AbortController();
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body(`on-${wire}`, { stream: true })),
      signal: leaving.signal,
    });
    await answer.body!.getReader().read();
    expect(upstream.requests[0]!.aborted()).toBe(false);
    leaving.abort();
    await waitFor(() => upstream.requests[0]!.aborted());
  });

  test('ends the upstream call at once when the client leaves before the answer', async () => {
    upstream.forget();
    upstream.answer(`hidden-${wire}`, () => new Promise(() => {}));
    const leaving = new AbortController();
    const answer = fetch(server.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body(`on-${wire}`)),
      signal: leaving.signal,
    }).catch(() => 'left');
    await waitFor(() => upstream.requests.length === 1);
    leaving.abort();
    expect(await answer).toBe('left');
    await waitFor(() => upstream.requests[0]!.aborted());
  });

  test.each(unfinished[wire])('ends a stream that stops early with an error [STR-12]', async (beginning) => {
    upstream.answer(`hidden-${wire}`, () => streamed(beginning));
    const { text } = await send();
    expect(text).toMatch(code);
    expect(text).not.toMatch(/\[DONE\]|message_stop/);
  });

  if (name === 'messages') {
    test('hides thinking that the client did not request [MSG-32] [STR-06]', async () => {
      upstream.answer(`hidden-${wire}`, () => streamed(thoughtful[wire]));
      const events = dataOf((await send()).text);
      expect(JSON.stringify(events)).not.toContain('hidden');
      expect(events.flatMap(({ index }) => index ?? [])).toEqual(events.slice(1, -2).map(() => 0));
      expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe('one two');
      expect(events.at(-1)).toEqual({ type: 'message_stop' });
    });
  }
});

test('hides thinking that the client did not request in a whole message on its own wire [MSG-32]', async () => {
  const content = [
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'thinking', thinking: 'hidden, "thought]"', signature: 'hidden' },
    { type: 'text', text: 'one' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { place: 'a "b" ]}' } },
  ];
  upstream.answer('hidden-anthropic-messages', () =>
    Response.json({ ...message, content, stop_reason: 'tool_use', usage }),
  );
  const ask = (fields = {}) =>
    server.call('/v1/messages', { headers, body: messagesBody('on-anthropic-messages', fields) });
  expect((await ask()).body.content).toEqual(content.slice(2));
  const thinking = { type: 'enabled', budget_tokens: 1_024 };
  expect((await ask({ thinking })).body.content).toEqual(content);
});

test('passes the upstream’s lines of messages on their own wire, except the id and the model [STR-27]', async () => {
  const unknown = event({ type: 'hello_event', any: ' of  it ' });
  const odd =
    'event: content_block_delta\ndata: {"type": "content_block_delta",  "index":0, "delta":{"type":"text_delta","text":"\\u00e4"},"x_new":[1]}\n\n';
  const lines = [start, event({ type: 'ping' }), unknown, ...block(0, text, said).slice(0, 1), odd];
  const rest = [event({ type: 'content_block_stop', index: 0 }), ending, stop];
  upstream.answer('hidden-anthropic-messages', () => streamed([...lines, ...rest].join('')));
  const body = messagesBody('on-anthropic-messages', { stream: true });
  const answer = await server.call('/v1/messages', { headers, body });
  const [first, ...others] = answer.text.match(/^data: .*$/gm)!;
  expect(others).toEqual([...lines, ...rest].slice(1).map((frame) => frame.match(/^data: .*$/m)![0]));
  const { message: begun } = JSON.parse(first!.slice('data: '.length));
  expect(begun).toEqual({
    ...message,
    id: expect.stringMatching(/^msg_/),
    model: body.model,
    stop_reason: null,
    stop_sequence: null,
    usage: counts,
  });
});

test.each([
  usage,
  { output_tokens: 2, input_tokens: 3, cache_read_input_tokens: null },
  null,
  undefined,
])('fills in counts that an upstream omits, as zero or estimated [MSG-35]', async (reported) => {
  upstream.answer('hidden-anthropic-messages', () =>
    Response.json({
      ...message,
      content: [{ ...text, text: 'said' }],
      stop_reason: 'end_turn',
      usage: reported,
    }),
  );
  const body = messagesBody('on-anthropic-messages');
  const answer = await server.call('/v1/messages', { headers, body });
  if (reported) expect(answer.body.usage).toEqual(counts);
  else {
    const { input_tokens, output_tokens } = answer.body.usage;
    expect(input_tokens).toBeGreaterThan(0);
    expect(output_tokens).toBeGreaterThan(0);
    expect(answer.body.usage).toEqual({ ...counts, input_tokens, output_tokens });
  }
});
