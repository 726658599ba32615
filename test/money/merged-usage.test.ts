import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { billed, type CountingDialect, countingDialects, type Tokens } from '../support/counting-dialects.ts';
import { type CountingWire, countingWires, startCountingUpstream } from '../support/counting-upstream.ts';
import { expectOk } from '../support/expect-ok.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startCountingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: countingWires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
      api_key: 'key',
    })),
    catalog: {
      default: false,
      models: countingWires.map((wire) =>
        ableModel(`on-${wire}`, [{ provider: `hidden-${wire}`, model: 'hidden' }]),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key, account } = await server.createKey('enterprise');

type Case = [what: string, reports: [object, ...object[]], tokens: Partial<Tokens>];

const chat = (prompt_tokens: number, completion_tokens: number, more: Json = {}) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
  ...(more.cached !== undefined && { prompt_tokens_details: { cached_tokens: more.cached } }),
  ...(more.reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: more.reasoning } }),
  ...more.also,
});
const openai: Case[] = [
  ['a second chunk that says more', [chat(100, 5), chat(100, 50)], { input: 100, output: 50 }],
  ['a last chunk of zeros', [chat(100, 50), chat(0, 0)], { input: 100, output: 50 }],
  [
    'a last chunk of zeros with every detail',
    [chat(100, 50, { cached: 90, reasoning: 30 }), chat(0, 0, { cached: 0, reasoning: 0 })],
    { input: 100, cached: 90, output: 50, reasoning: 30 },
  ],
  ['more cached input than input', [chat(100, 50, { cached: 400 })], { input: 100, cached: 100, output: 50 }],
  [
    'more cached input than input with every detail',
    [chat(100, 50, { cached: 400, reasoning: 0 })],
    { input: 100, cached: 100, output: 50 },
  ],
  [
    'reasoning that the last chunk omits',
    [chat(100, 50, { reasoning: 30 }), chat(100, 50)],
    { input: 100, output: 50, reasoning: 30 },
  ],
  [
    'a split that changes',
    [chat(100, 50, { cached: 90 }), chat(100, 50, { cached: 20 })],
    { input: 100, cached: 90, output: 50 },
  ],
  [
    'a total below the sum of its parts',
    [chat(100, 50, { also: { total_tokens: 3 } })],
    { input: 100, output: 50 },
  ],
];

const cases: Record<CountingWire, Case[]> = {
  'openai-chat': openai,
  'openai-completions': openai,
  'anthropic-messages': [
    [
      'an input that is later reported as cached',
      [
        { input_tokens: 1_000, output_tokens: 1 },
        {
          input_tokens: 0,
          cache_read_input_tokens: 600,
          cache_creation_input_tokens: 400,
          output_tokens: 50,
        },
      ],
      { input: 1_000, cached: 600, written: 400, output: 50 },
    ],
    [
      'an input of zero after a full one',
      [
        { input_tokens: 10, cache_read_input_tokens: 600, output_tokens: 1 },
        { input_tokens: 0, output_tokens: 50 },
      ],
      { input: 610, cached: 600, output: 50 },
    ],
    [
      'an input that grows',
      [
        { input_tokens: 100, output_tokens: 1 },
        { input_tokens: 5_000, cache_creation_input_tokens: 2_000, output_tokens: 50 },
      ],
      { input: 7_000, written: 2_000, output: 50 },
    ],
    [
      'a cache that only the first event reports',
      [
        { input_tokens: 0, cache_read_input_tokens: 600, output_tokens: 1 },
        { input_tokens: 10, output_tokens: 50 },
      ],
      { input: 610, cached: 600, output: 50 },
    ],
    [
      'a last event of zeros',
      [{ input_tokens: 100, output_tokens: 1 }, { output_tokens: 50 }, { input_tokens: 0, output_tokens: 0 }],
      { input: 100, output: 50 },
    ],
    [
      'output that shrinks',
      [{ input_tokens: 100, output_tokens: 1 }, { output_tokens: 50 }, { output_tokens: 3 }],
      { input: 100, output: 50 },
    ],
  ],
  'openai-responses': [
    [
      'more cached input than input',
      [
        {
          input_tokens: 100,
          output_tokens: 50,
          total_tokens: 150,
          input_tokens_details: { cached_tokens: 400, cache_write_tokens: 300 },
          output_tokens_details: { reasoning_tokens: 0 },
        },
      ],
      { input: 100, cached: 100, written: 0, output: 50 },
    ],
    [
      'a last report of zeros',
      [
        { input_tokens: 100, output_tokens: 50, output_tokens_details: { reasoning_tokens: 30 } },
        { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      ],
      { input: 100, output: 50, reasoning: 30 },
    ],
  ],
  'google-generate': [
    [
      'reasoning that the last chunk omits',
      [
        { promptTokenCount: 100, candidatesTokenCount: 10, thoughtsTokenCount: 500, totalTokenCount: 610 },
        { promptTokenCount: 100, candidatesTokenCount: 40, totalTokenCount: 140 },
      ],
      { input: 100, output: 540, reasoning: 500 },
    ],
    [
      'a chunk after the finish reason',
      [
        { promptTokenCount: 100 },
        { promptTokenCount: 100, candidatesTokenCount: 10 },
        { promptTokenCount: 100, candidatesTokenCount: 40, thoughtsTokenCount: 500 },
      ],
      { input: 100, output: 540, reasoning: 500 },
    ],
    [
      'a last chunk of zeros',
      [
        { promptTokenCount: 100, candidatesTokenCount: 40 },
        { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
      ],
      { input: 100, output: 40 },
    ],
    [
      'more cached input than input',
      [{ promptTokenCount: 100, cachedContentTokenCount: 400, candidatesTokenCount: 40 }],
      { input: 100, cached: 100, output: 40 },
    ],
  ],
  'google-interactions': [
    [
      'reasoning that the last event omits',
      [
        { total_input_tokens: 100, total_output_tokens: 10, total_thought_tokens: 500, total_tokens: 610 },
        { total_input_tokens: 100, total_output_tokens: 40, total_tokens: 140 },
      ],
      { input: 100, output: 540, reasoning: 500 },
    ],
    [
      'a last report of zeros',
      [
        { total_input_tokens: 100, total_output_tokens: 40 },
        { total_input_tokens: 0, total_output_tokens: 0, total_tokens: 0 },
      ],
      { input: 100, output: 40 },
    ],
    [
      'more cached input than input',
      [{ total_input_tokens: 100, total_cached_tokens: 400, total_output_tokens: 40 }],
      { input: 100, cached: 100, output: 40 },
    ],
  ],
  'bedrock-converse': [
    [
      'a second event with larger counts',
      [
        { inputTokens: 100, outputTokens: 5, cacheReadInputTokens: 30 },
        { inputTokens: 100, outputTokens: 50, cacheReadInputTokens: 30 },
      ],
      { input: 130, cached: 30, output: 50 },
    ],
    [
      'a last event of zeros',
      [
        { inputTokens: 100, outputTokens: 50, cacheReadInputTokens: 30 },
        { inputTokens: 0, outputTokens: 0 },
      ],
      { input: 130, cached: 30, output: 50 },
    ],
  ],
};

async function ask(dialect: CountingDialect, wire: CountingWire, { stream }: { stream: boolean }) {
  const body = dialect.ask(`on-${wire}`, { stream });
  const { text } = expectOk(await server.call(dialect.path, { headers: bearer(key), body }));
  const [entry] = await ledgerEntries(server, account);
  return {
    shown: dialect.shown(text, { stream }),
    billed: billed(entry),
    estimated: entry.receipt.estimated,
  };
}

const NONE: Tokens = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0 };

for (const dialect of countingDialects) {
  describe.each(countingWires)(`counts on the wire %s, requested in ${dialect.name}`, (wire) => {
    test.each(cases[wire])('%s: bills and shows the largest counts [CRD-43]', async (_, reports, tokens) => {
      upstream.counts(...reports);
      const all = { ...NONE, ...tokens };
      const { shown, billed, estimated } = await ask(dialect, wire, { stream: true });
      expect({ billed, estimated }).toEqual({ billed: all, estimated: false });
      expect(shown).toEqual(all);
    });

    test.each(
      cases[wire].filter(([, { length }]) => length === 1),
    )('%s: counts a whole answer like a stream [CRD-43]', async (_, reports, tokens) => {
      upstream.counts(...reports);
      const all = { ...NONE, ...tokens };
      const { shown, billed } = await ask(dialect, wire, { stream: false });
      expect({ shown, billed }).toEqual({ shown: all, billed: all });
    });
  });
}
