import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

// Compactions of the simulator through the gateway, from the request to the ledger.

const simulator = serveSimulator();
const wires = ['anthropic-messages', 'openai-responses'] as const;
const pricing_usd_per_mtok = { input: 1, output: 4, cached_input: 0.1 };
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: wires.map((wire) => ({ id: wire, wire, base_url: `${simulator.url}/v1` })),
    catalog: {
      default: false,
      models: wires.flatMap((wire) => [
        ableModel(wire, [{ provider: wire, model: 'sim' }], { pricing_usd_per_mtok }),
        ableModel(`eager-${wire}`, [{ provider: wire, model: 'sim!compact-at=1' }], { pricing_usd_per_mtok }),
      ]),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
});
const { key } = await server.createKey('enterprise');
const USD = 500_000_000;

type Answered = { last: Json; text: string; receipt: Json };

/** Sends a request and returns its whole answer, or the merged end of its stream, with the receipt. */
async function ask(path: string, body: Json): Promise<Answered> {
  const { text, headers } = expectOk(await server.call(path, { headers: bearer(key), body }));
  const id = headers.get('x-svc-request-id')!;
  const receipt = (await server.call(`/v1/usage/${id}`, { headers: bearer(key) })).body;
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));
  const last = body.stream ? (events.findLast(({ usage, response }) => usage ?? response?.usage) ?? {}) : {};
  return { last: body.stream ? (last.response ?? last) : JSON.parse(text), text, receipt };
}

const rowsOf = ({ receipt }: Answered): Json =>
  Object.fromEntries(receipt.prices.map(({ kind, tokens }: Json) => [kind, tokens]));
const history = [
  { role: 'user', content: 'Remember the word plum.' },
  { role: 'assistant', content: 'I will.' },
  { role: 'user', content: 'say: fine' },
];
const edits = (rest: Json = {}) => ({
  edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1 }, ...rest }],
});
const MESSAGES = { max_tokens: 500, messages: history };

describe.each([false, true])('a compaction of the simulator (streamed: %p)', (stream) => {
  test.each<[string, Json]>([
    ['before the answer', { context_management: edits() }],
    ['as the whole answer', { context_management: edits({ pause_after_compaction: true }) }],
    ['of the whole conversation', { compaction: { type: 'summarize' } }],
  ])('%s is billed to the token of its iterations [CRD-46]', async (_when, fields) => {
    const body = { model: 'anthropic-messages', ...MESSAGES, ...fields, stream };
    const answered = await ask('/v1/messages', body);
    expect(answered.text).toContain('[simulated summary]');
    const { iterations } = answered.last.usage;
    const passes = (type: string): Json =>
      iterations.find((one: Json) => one.type === type) ?? { input_tokens: 0, output_tokens: 0 };
    const compaction = passes('compaction');
    const own = passes('message');
    expect(compaction.input_tokens).toBeGreaterThan(0);
    expect(compaction.output_tokens).toBeGreaterThan(0);
    expect(rowsOf(answered)).toMatchObject({
      compaction_input: compaction.input_tokens,
      compaction_output: compaction.output_tokens,
      uncached_input: own.input_tokens,
      output: own.output_tokens,
    });
    const tokens = (name: string): number =>
      iterations.reduce((sum: number, one: Json) => sum + one[name], 0);
    const usd = (tokens('input_tokens') + tokens('output_tokens') * 4) / 1e6;
    expect(answered.receipt.microcredits).toBe(Math.round(usd * USD));
  });

  test.each<[string, Json]>([
    ['/v1/chat/completions', { max_tokens: 500, messages: history }],
    ['/v1/responses', { max_output_tokens: 500, input: history }],
  ])('that nobody asked for is billed to the token on %s too [CRD-46]', async (path, fields) => {
    const own = await ask('/v1/messages', { model: 'eager-anthropic-messages', ...MESSAGES });
    const reported = await ask(path, { model: 'eager-anthropic-messages', ...fields, stream });
    expect(reported.text).toContain(' fine');
    expect(rowsOf(reported)).toEqual(rowsOf(own));
    expect(reported.receipt.microcredits).toBe(own.receipt.microcredits);
    expect(rowsOf(reported).compaction_input).toBeGreaterThan(0);
  });

  test.each<[string, Json]>([
    ['by a trigger', { input: [...history, { type: 'compaction_trigger' }] }],
    [
      'by a threshold',
      { input: history, context_management: [{ type: 'compaction', compact_threshold: 16 }] },
    ],
  ])('of a response %s is billed to the token of its usage [CRD-46]', async (_how, fields) => {
    const answered = await ask('/v1/responses', { model: 'openai-responses', ...fields, stream });
    const { usage, output } = answered.last;
    expect(output[0].type).toBe('compaction');
    expect(output[0].encrypted_content).toBeString();
    expect(rowsOf(answered)).toMatchObject({
      uncached_input: usage.input_tokens,
      output: usage.output_tokens,
    });
    const usd = (usage.input_tokens + usage.output_tokens * 4) / 1e6;
    expect(answered.receipt.microcredits).toBe(Math.round(usd * USD));
    const input = [...output, { role: 'user', content: 'Hello.' }];
    const { text } = await ask('/v1/responses', { model: 'openai-responses', input });
    expect(text).toContain('A summary of');
  });
});
