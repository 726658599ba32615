import { afterAll, beforeEach, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
upstream.answer('hidden-anthropic-messages', () =>
  Response.json({
    id: 'hidden',
    type: 'message',
    role: 'assistant',
    model: 'hidden',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  }),
);
const wires = ['openai-chat', 'anthropic-messages'];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url })),
    catalog: {
      default: false,
      models: wires.map((wire) => ableModel(wire, [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);
const { key } = await server.createKey('enterprise');

/** Sends a request that must be answered. Returns the upstream's request. */
async function sent(wire: string, fields: Record<string, unknown>) {
  upstream.forget();
  expect((await server.chat(key, wire, fields)).status).toBe(200);
  return upstream.requests[0]!.body;
}

test('passes logprobs to a wire that has them, and refuses them on others [CHT-11]', async () => {
  for (const fields of [{ logprobs: true }, { logprobs: true, top_logprobs: 2 }]) {
    expect(await sent('openai-chat', fields)).toMatchObject(fields);
    upstream.forget();
    const refused = await server.chat(key, 'anthropic-messages', fields);
    expectRefusal(refused, 422, 'route_not_qualified', 'logprobs');
    expect(upstream.requests).toEqual([]);
  }
});

test('passes a seed and penalties to a wire that has them, and drops them on others [CHT-12]', async () => {
  const fields = { seed: 7, frequency_penalty: 0.5, presence_penalty: -0.5 };
  expect(await sent('openai-chat', fields)).toMatchObject(fields);
  const body = await sent('anthropic-messages', fields);
  for (const name of Object.keys(fields)) expect(body).not.toHaveProperty(name);
});

test('refuses a request without a model or messages, and names the field [CHT-14]', async () => {
  for (const name of ['model', 'messages']) {
    const { [name]: _, ...body } = chatBody('openai-chat') as Record<string, unknown>;
    const answer = await server.call('/v1/chat/completions', { headers: bearer(key), body });
    expectRefusal(answer, 400, 'invalid_request', name);
  }
  expect(upstream.requests).toEqual([]);
});

test('passes unknown fields to a wire of the same protocol, and drops them on others [CHT-16]', async () => {
  const fields = { later_field: { deep: [1, null] }, other_field: 'x' };
  expect(await sent('openai-chat', fields)).toMatchObject(fields);
  const body = await sent('anthropic-messages', fields);
  expect(JSON.stringify(body)).not.toMatch(/later_field|other_field/);
});
