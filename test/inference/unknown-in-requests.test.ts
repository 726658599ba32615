import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Parts, items, tools and formats that the gateway does not know, on their own wire and on others.

const upstream = startRecordingUpstream();
const wires = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
type TestedWire = (typeof wires)[number];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({ id: `at-${wire}`, wire, base_url: upstream.url })),
    catalog: {
      default: false,
      models: wires.map((wire) => ableModel(wire, [{ provider: `at-${wire}`, model: wire }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const usage = { input_tokens: 5, output_tokens: 1, total_tokens: 6 };
const output = [{ id: 'm', type: 'message', role: 'assistant', status: 'completed', content: [] }];
const answers: Record<TestedWire, Json> = {
  'openai-chat': {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
  },
  'anthropic-messages': {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    stop_reason: 'end_turn',
    usage,
  },
  'openai-responses': { id: 'r', object: 'response', status: 'completed', output, usage },
};
for (const wire of wires) upstream.answer(wire, () => Response.json({ model: wire, ...answers[wire] }));

const paths: Record<TestedWire, string> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/v1/responses',
};

async function ask(from: TestedWire, model: TestedWire, fields: Json) {
  const before = upstream.requests.length;
  const body = { model, ...(from === 'anthropic-messages' && { max_tokens: 50 }), ...fields };
  const { status, headers, body: answer } = await server.call(paths[from], { headers: bearer(key), body });
  const sent = upstream.requests.slice(before).at(-1)?.body;
  return {
    status,
    error: answer?.error ?? undefined,
    losses: headers.get('x-svc-translation-losses') ?? '',
    sent,
  };
}

const hologram = { type: 'hologram', light: [1, { deep: true }] };
const hi = { role: 'user', content: 'Hello.' };
const chat = (...messages: Json[]) => ({ messages: [...messages, hi] });
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const called = { role: 'assistant', content: null, tool_calls: [call] };
const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] };
const asked = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
const result = { type: 'function_call_output', call_id: 'c' };

/**
 * `elsewhere`: on other wires the request is served with a loss, served with the value as text, or refused.
 */
type Row = [what: string, from: TestedWire, fields: Json, elsewhere: 'loss' | 'text' | { refused: string }];
const rows: Row[] = [
  ['a part of a user', 'openai-chat', chat({ role: 'user', content: [hologram] }), 'loss'],
  ['a part of a system message', 'openai-chat', chat({ role: 'system', content: [hologram] }), 'loss'],
  ['a part of an assistant', 'openai-chat', chat(hi, { role: 'assistant', content: [hologram] }), 'loss'],
  [
    'a part of a result',
    'openai-chat',
    chat(hi, called, { role: 'tool', tool_call_id: 'c', content: [hologram] }),
    'text',
  ],
  [
    'a response format',
    'openai-chat',
    { ...chat(), response_format: hologram },
    { refused: 'response_format' },
  ],
  ['a tool choice', 'openai-chat', { ...chat(), tool_choice: hologram }, { refused: 'tool_choice' }],
  ['a block of the system prompt', 'anthropic-messages', { ...chat(), system: [hologram] }, 'loss'],
  ['a block of a user', 'anthropic-messages', { messages: [{ role: 'user', content: [hologram] }] }, 'loss'],
  [
    'a block of a result',
    'anthropic-messages',
    {
      messages: [
        hi,
        use,
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [hologram] }] },
      ],
    },
    'text',
  ],
  ['a way of thinking', 'anthropic-messages', { ...chat(), thinking: hologram }, 'loss'],
  [
    'a format',
    'anthropic-messages',
    { ...chat(), output_config: { format: hologram } },
    { refused: 'output_config' },
  ],
  ['an item', 'openai-responses', { input: [hologram, hi] }, 'loss'],
  ['a content', 'openai-responses', { input: [{ role: 'user', content: [hologram] }, hi] }, 'loss'],
  [
    'a content of a result',
    'openai-responses',
    { input: [asked, { ...result, output: [hologram] }] },
    'text',
  ],
  [
    'a result without call_id',
    'openai-responses',
    { input: [hi, { type: 'function_call_output', output: 'hologram' }] },
    { refused: 'input' },
  ],
  ['a format', 'openai-responses', { input: 'Hello.', text: { format: hologram } }, { refused: 'text' }],
  [
    'a tool choice',
    'openai-responses',
    { input: 'Hello.', tools: [hologram], tool_choice: { type: 'hologram' } },
    { refused: 'tool_choice' },
  ],
];

describe.each(rows)('%s of %s', (_, from, fields, elsewhere) => {
  test('reaches a provider of its own protocol as it was sent', async () => {
    const { status, error, sent } = await ask(from, from, fields);
    expect({ status, error }).toEqual({ status: 200, error: undefined });
    expect(sent).toMatchObject(fields);
  });

  test.each(wires.filter((wire) => wire !== from))('on %s', async (wire) => {
    const { status, error, losses, sent } = await ask(from, wire, fields);
    if (typeof elsewhere === 'object') {
      expect(status).toBe(422);
      expect(error?.code ?? error?.type).toEqual(expect.any(String));
      expect(error.message).toStartWith(elsewhere.refused);
      return;
    }
    expect({ status, error }).toEqual({ status: 200, error: undefined });
    if (elsewhere === 'loss') expect(losses).not.toBe('');
    else expect(JSON.stringify(sent)).toContain('hologram');
  });
});

test('the log names unknown types of requests, and the metric counts them', async () => {
  const tool = { type: 'hologram_20260101', name: 'light' };
  await ask('openai-responses', 'openai-responses', { input: [hologram, hi], tools: [tool], user: 'logged' });
  const named = ['requested part hologram', 'requested tool hologram_20260101'];
  await waitFor(() => server.log().includes('hologram_20260101'));
  const line = server
    .log()
    .split('\n')
    .find((one) => one.includes('hologram_20260101'));
  expect(JSON.parse(line!).unknown_types.toSorted()).toEqual(named);
  const { text } = await server.call('/metrics', { headers: bearer(server.adminToken) });
  expect(text).toContain('tollgate_unknown_types_total{provider="at-openai-responses",direction="request"}');
});
