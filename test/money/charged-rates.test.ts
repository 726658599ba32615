import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import type { Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { dataOf } from '../support/messages-body.ts';
import { answerStatus, startRecordingUpstream, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const simulator = serveSimulator({ logSize: 100 });
const wires = ['openai-chat', 'anthropic-messages'];
const upstream = startRecordingUpstream();
/** USD per million tokens; a dollar is 500 micro-credits a token. */
const row = (id: string, [input, output]: [number, number], comparable: string[] = []) =>
  ableModel(id, [{ provider: 'hidden-openai-chat', model: `hidden-${id}` }], {
    delivery: 'optimized',
    comparable,
    pricing_usd_per_mtok: { input, output },
  });
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      ...wires.map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url })),
      { id: 'hidden-streaming', wire: 'anthropic-messages', base_url: `${simulator.url}/v1` },
    ],
    catalog: {
      default: false,
      models: [
        row('asked', [2, 8], ['cheap']),
        row('asked-too', [2, 8], ['expensive']),
        row('asked-as-well', [2, 8], ['mixed']),
        row('cheap', [1, 4]),
        row('expensive', [4, 16]),
        row('mixed', [1, 16]),
        ableModel('one-at-a-time', [{ provider: 'hidden-anthropic-messages', model: 'hidden-one' }]),
        ableModel('streams-one', [{ provider: 'hidden-streaming', model: 'hidden' }]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([upstream.stop(), simulator.stop()]);
});
beforeEach(upstream.forget);

async function charged(model: string, fields: Json = {}) {
  const { account, key } = await server.createKey('enterprise');
  const answer = await server.chat(key, model, fields);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('"error"');
  const entries = await ledgerEntries(server, account);
  expect(entries).toHaveLength(1);
  return { entry: entries[0], answer };
}

describe.each([false, true])('an answer of a substitute (stream: %p)', (stream) => {
  test.each([
    ['a cheaper model at its own rates', 'asked', 'cheap', [100, 10], 100 * 500 + 10 * 2_000],
    [
      'a more expensive model at the rates of the requested one',
      'asked-too',
      'expensive',
      [100, 10],
      100 * 1_000 + 10 * 4_000,
    ],
    ['a model that is cheaper for this request', 'asked-as-well', 'mixed', [100, 1], 100 * 500 + 8_000],
    [
      'a model that is more expensive for this request',
      'asked-as-well',
      'mixed',
      [10, 100],
      10 * 1_000 + 100 * 4_000,
    ],
  ] as const)('is charged for %s [RES-15]', async (_, asked, served, [input, output], microcredits) => {
    upstream.answer(`hidden-${asked}`, answerStatus(500));
    upstream.answer(`hidden-${served}`, answerWithUsage(input, output));
    const { entry } = await charged(asked, { stream });
    expect(entry).toMatchObject({ model: asked, served_model: served, microcredits });
    expect(entry).toMatchObject({ input_tokens: input, output_tokens: output });
  });
});

/** Makes an upstream each of whose answers has used more than the one before. */
function countingMessages(): UpstreamAnswer {
  let count = 0;
  return () => {
    count += 1;
    return Response.json({
      id: 'hidden',
      type: 'message',
      role: 'assistant',
      model: 'hidden',
      content: [{ type: 'text', text: 'hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10 * count, output_tokens: 3 + count },
    });
  };
}

test('charges every call of several answers on a wire that gives one at a time [CHT-10]', async () => {
  upstream.answer('hidden-one', countingMessages());
  const { entry, answer } = await charged('one-at-a-time', { n: 3 });
  expect(upstream.models()).toEqual(Array(3).fill('hidden-one'));
  expect(answer.body.choices).toHaveLength(3);
  const input = 10 + 20 + 30;
  const output = 4 + 5 + 6;
  expect(entry).toMatchObject({ input_tokens: input, output_tokens: output });
  expect(entry.microcredits).toBe(input * 500 + output * 2_000);
  expect(answer.body.usage).toMatchObject({ prompt_tokens: input, completion_tokens: output });
});

test('charges every call of several streamed answers [CHT-10]', async () => {
  const fields = { stream: true, stream_options: { include_usage: true } };
  const usageOf = (text: string) => dataOf(text).at(-1).usage;
  const single = usageOf((await charged('streams-one', fields)).answer.text);
  const before = simulator.requests().length;
  const { entry, answer } = await charged('streams-one', { ...fields, n: 3 });
  expect(simulator.requests().length - before).toBe(3);
  const { prompt_tokens, completion_tokens } = usageOf(answer.text);
  expect(prompt_tokens).toBe(3 * single.prompt_tokens);
  expect(completion_tokens).toBeGreaterThanOrEqual(3 * single.completion_tokens);
  expect(entry).toMatchObject({ input_tokens: prompt_tokens, output_tokens: completion_tokens });
  expect(entry.microcredits).toBe(prompt_tokens * 500 + completion_tokens * 2_000);
});
