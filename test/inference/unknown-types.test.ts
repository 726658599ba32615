import { afterAll, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

// Types of a vendor's stream that no row knows pass as they are, and operators see them.

const upstream = startRecordingUpstream();
const rows = [
  ['messages', 'anthropic-messages'],
  ['responses', 'openai-responses'],
] as const;
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: rows.map(([id, wire]) => ({ id: `at-${id}`, wire, base_url: upstream.url })),
    catalog: {
      default: false,
      models: rows.map(([id]) => ableModel(id, [{ provider: `at-${id}`, model: id }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const event = (type: string, rest: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const usage = { input_tokens: 5, output_tokens: 1 };
const message = { id: 'x', type: 'message', role: 'assistant', model: 'x', content: [], usage };
const response = { id: 'x', object: 'response', model: 'x', output: [], created_at: 1 };
const item = { id: 'i', type: 'hologram_call', status: 'completed' };

const cases: Json[] = [
  {
    model: 'messages',
    path: '/v1/messages',
    fields: { max_tokens: 50, messages: [{ role: 'user', content: 'Hello.' }] },
    stream: [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'hologram', light: 1 } }),
      event('content_block_delta', { index: 0, delta: { type: 'light_delta', light: 2 } }),
      event('content_block_stop', { index: 0 }),
      event('message_pause', { seconds: 1 }),
      event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
      event('message_stop'),
    ],
    unknown: ['block hologram', 'delta light_delta', 'event message_pause'],
    passed: ['"type":"hologram","light":1', '"type":"light_delta","light":2', '"type":"message_pause"'],
  },
  {
    model: 'responses',
    path: '/v1/responses',
    fields: { input: 'Hello.' },
    stream: [
      event('response.created', { sequence_number: 0, response: { ...response, status: 'in_progress' } }),
      event('response.output_item.added', { sequence_number: 1, output_index: 0, item }),
      event('response.hologram.delta', { sequence_number: 2, delta: 'light' }),
      event('response.output_item.done', { sequence_number: 3, output_index: 0, item }),
      event('response.completed', {
        sequence_number: 4,
        response: { ...response, status: 'completed', output: [item], usage: { ...usage, total_tokens: 6 } },
      }),
    ],
    unknown: ['item hologram_call', 'event response.hologram.delta'],
    passed: ['"type":"hologram_call"', '"type":"response.hologram.delta"'],
  },
];

test.each(cases)('on $path they pass, and the log and the metrics have them', async (row) => {
  const { model, path, fields, stream, unknown, passed } = row;
  upstream.answer(model, () => streamed(stream.join('')));
  const answer = await server.call(path, { headers: bearer(key), body: { model, stream: true, ...fields } });
  expect(answer.status).toBe(200);
  for (const text of passed) expect(answer.text).toContain(text);
  const line = () =>
    server
      .log()
      .split('\n')
      .find((one) => one.includes(`"served_model":"${model}"`));
  await waitFor(() => line() !== undefined);
  expect(JSON.parse(line()!).unknown_types).toEqual(unknown);
  const { text } = await server.call('/metrics', { headers: bearer(server.adminToken) });
  expect(text).toContain(
    `tollgate_unknown_types_total{provider="at-${model}",direction="answer"} ${unknown.length}`,
  );
});
