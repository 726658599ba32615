import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { loadSliceCounter } from '../../src/translation/tokens/vocabulary.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, type Json } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { purchasedCredit } from '../support/purchased-credit.ts';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { countLiterally } from './true-counts.ts';

const count = await loadSliceCounter('o200k');
const upstream = startRecordingUpstream();
const capabilities = { tools: true, reasoning: false, vision: true, documents: true };
/** Makes a model of OpenAI's, so that its vocabulary is known: 1 USD per million tokens read, 4 written. */
const exact = (id: string, route: string, fields: Json = {}) => ({
  ...sampleModel(id, { context_window: 1_000_000, max_output: 8_192, capabilities, ...fields }),
  routes: [{ provider: 'hidden-openai-chat', model: route }],
});
const base = sampleConfig(upstream.url);
const server = await startServer({
  config: {
    pricing: { unpriced: 'pass' },
    ...base,
    plans: wideLimits,
    catalog: {
      default: false,
      models: [
        exact('known', 'gpt-4o'),
        exact('expensive-cache', 'gpt-4o', {
          pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 3 },
        }),
        exact('failing', 'gpt-4.1', { delivery: 'optimized', comparable: ['unknown'] }),
        sampleModel('unknown', { context_window: 1_000_000, max_output: 8_192, capabilities }),
        sampleModel('spoken', { context_window: 100_000, max_output: 8_192 }, 'openai-responses'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const RATES = { input: 500, output: 2_000 };
const OUTPUT = 10;
/** The micro-credits that the upstream's counts cost. */
let billed = 0;

/** Bills requests by this count, and records it. */
const countingUpstream = (tokensOf: (body: Json) => number) => (request: { body: Json }) => {
  const input = tokensOf(request.body);
  billed += input * RATES.input + OUTPUT * RATES.output;
  return answerWithUsage(input, OUTPUT)(request);
};
beforeEach(() => {
  billed = 0;
  upstream.forget();
  upstream.answer(
    'gpt-4o',
    countingUpstream((body) => countLiterally(body, count)),
  );
  // This vendor counts each byte as a token.
  upstream.answer(
    'hidden-unknown',
    countingUpstream(({ messages }) => Buffer.byteLength(messages[0].content)),
  );
});

const { createPayer, purchasedLeft } = purchasedCredit(server);

const ask = ({ key }: CreatedKey, path: string, body: Json) =>
  server.call(path, { headers: bearer(key), body: { max_tokens: OUTPUT, ...body } });

const quoted = async ({ key }: CreatedKey, endpoint: string, body: Json): Promise<Json> =>
  (await server.call(`/v1/quote?endpoint=${endpoint}`, { headers: bearer(key), body })).body;
const maxInput = ({ credits }: Json, output: number): number =>
  (credits.highest * 1e6 - output * RATES.output) / RATES.input;

const CREDIT = 1e6;
const long = 'The committee met on Thursday to discuss the harbour. '.repeat(isLong ? 16_000 : 4_000);
const PROMPTS = isLong ? 20 : 8;

const disguises: Record<string, [path: string, body: Json]> = {
  'as the name of an argument': [
    '/v1/messages',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: { [long]: 1 } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'c' }] },
      ],
      tools: [{ name: 'b', input_schema: { type: 'object' } }],
    },
  ],
  'as the name of a member of a message': [
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: 'a', [long]: 1 }] },
  ],
  'in an unknown member': [
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: 'a' }], extra: { deep: [long] } },
  ],
  'as a user name': ['/v1/chat/completions', { messages: [{ role: 'user', content: 'a' }], user: long }],
};

describe('simultaneous prompts of tens of thousands of words [CRD-47]', () => {
  for (const [how, [path, body]] of Object.entries(disguises))
    test(`cost no more than the one credit of the account: ${how}`, async () => {
      const key = await createPayer(CREDIT);
      const answers = await Promise.all(
        Array.from({ length: PROMPTS }, () => ask(key, path, { model: 'known', ...body })),
      );
      expect(billed).toBeLessThanOrEqual(CREDIT);
      expect(answers.map(({ status }) => status)).toEqual(new Array(PROMPTS).fill(402));
    });
});

test('a caller with credit for 1.3 times the prompt is served at the true cost [CRD-47]', async () => {
  const body = { model: 'known', messages: [{ role: 'user', content: long.slice(0, 40_000) }] };
  const cost = count(body.messages[0]!.content) * RATES.input;
  const key = await createPayer(cost * 1.3 + OUTPUT * RATES.output);
  expect((await ask(key, '/v1/chat/completions', body)).status).toBe(200);
  const [entry] = await usageEntries(server, key.account);
  expect(entry.microcredits).toBe(billed);
  expect(entry.receipt.held_microcredits).toBeWithin(billed, billed * 1.05);
});

test("applies the same bound to a key's cap [CRD-47] [CRD-36]", async () => {
  const key = await server.createKey('max', { monthly_cap_usd: 0.002 });
  const [path, body] = disguises['as the name of an argument']!;
  expect((await ask(key, path, { model: 'known', ...body })).body.error.code).toBe('key_budget_exhausted');
});

test('runs at most 100 of 200 simultaneous requests on credit for 100 [CRD-47] [CRD-20]', async () => {
  const body = { model: 'unknown', messages: [{ role: 'user', content: 'ſtraße ↯ '.repeat(20) }] };
  const cost = Buffer.byteLength(body.messages[0]!.content) * RATES.input + OUTPUT * RATES.output;
  const key = await createPayer(cost * 100);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => ask(key, '/v1/chat/completions', body)),
  );
  const served = answers.filter(({ status }) => status === 200).length;
  expect(served).toBeWithin(1, 101);
  expect(billed).toBe(served * cost);
  expect(await purchasedLeft(key)).toBe(cost * 100 - billed);
  expect((await usageEntries(server, key.account)).every(({ microcredits }) => microcredits === cost)).toBe(
    true,
  );
});

describe('a quote shows the hold [CRD-47]', () => {
  test('by the count of the texts or by their upper bound', async () => {
    const key = await server.createKey('pro');
    const messages = [{ role: 'user', content: long.slice(0, 10_000) }];
    const tokens = count(messages[0]!.content);
    const exactly = await quoted(key, '/v1/chat/completions', { model: 'known', max_tokens: 1, messages });
    expect(maxInput(exactly, 1)).toBeWithin(tokens, tokens * 1.02);
    const surely = await quoted(key, '/v1/chat/completions', { model: 'unknown', max_tokens: 1, messages });
    expect(maxInput(surely, 1)).toBeWithin(10_000, 10_200);
  });

  test('with every answer that may need its own call', async () => {
    const key = await server.createKey('pro');
    const highest = async (endpoint: string, fields: Json) =>
      (await quoted(key, endpoint, { model: 'known', max_tokens: 50, ...fields })).credits.highest;
    const messages = [{ role: 'user', content: long.slice(0, 10_000) }];
    const one = await highest('/v1/chat/completions', { messages });
    expect(await highest('/v1/chat/completions', { messages, n: 5 })).toBeWithin(one * 5, one * 5.1);
    const prompt = long.slice(0, 10_000);
    const single = await highest('/v1/completions', { prompt });
    const completions = (fields: Json) => highest('/v1/completions', fields);
    expect(await completions({ prompt: [prompt, prompt] })).toBeWithin(single * 1.99, single * 2.1);
    expect(await completions({ prompt, n: 2, best_of: 4 })).toBeWithin(single * 3.99, single * 4.1);
    expect(await completions({ prompt: 'a', suffix: prompt })).toBeWithin(single * 0.99, single * 1.1);
  });

  test('with the conversation that the request continues', async () => {
    const key = await server.createKey('pro');
    upstream.answer('hidden-spoken', () =>
      Response.json({
        id: 'r',
        object: 'response',
        status: 'completed',
        model: 'x',
        output: [],
        usage: { input_tokens: 5, output_tokens: 1, total_tokens: 6 },
      }),
    );
    const asking = { model: 'spoken', input: long.slice(0, 10_000) };
    const { status, body } = await server.call('/v1/responses', { headers: bearer(key.key), body: asking });
    expect(status).toBe(200);
    const next = { model: 'spoken', input: 'a', previous_response_id: body.id, max_output_tokens: 20 };
    expect(maxInput(await quoted(key, '/v1/responses', next), 20)).toBeGreaterThan(10_000);
  });

  test('with a ceiling that the upstream raises or with predicted text', async () => {
    const key = await server.createKey('pro');
    const low = await quoted(key, '/v1/responses', { model: 'spoken', input: 'a', max_output_tokens: 1 });
    expect(low.max_output_tokens).toBe(16);
    const messages = [{ role: 'user', content: 'a' }];
    const prediction = { type: 'content', content: 'x '.repeat(1_000) };
    const body = { model: 'known', max_tokens: 1, messages, prediction };
    expect((await quoted(key, '/v1/chat/completions', body)).credits.highest).toBeGreaterThan(4);
  });

  test('at the higher rate if cache reads cost more', async () => {
    const key = await server.createKey('pro');
    const messages = [{ role: 'user', content: long.slice(0, 10_000) }];
    const tokens = count(messages[0]!.content);
    const body = { model: 'expensive-cache', max_tokens: 1, messages };
    expect((await quoted(key, '/v1/chat/completions', body)).credits.highest * 1e6).toBeGreaterThan(
      tokens * 1_500,
    );
  });
});

test('sends the held ceiling to the upstream if the request sets none [CRD-34]', async () => {
  const key = await createPayer(1_000 * CREDIT);
  const body = { model: 'known', messages: [{ role: 'user', content: 'a' }], max_tokens: undefined };
  expect((await ask(key, '/v1/chat/completions', body)).status).toBe(200);
  const [{ body: sent }] = upstream.requests as [Json];
  expect(sent.max_completion_tokens).toBe(8_192);
});

describe('a substitute that counts more tokens', () => {
  beforeEach(() => upstream.answer('gpt-4.1', answerStatus(500)));

  test('answers within the held amount [CRD-47] [CRD-20]', async () => {
    const key = await createPayer(1_000 * CREDIT);
    const content = long.slice(0, 4_000);
    const body = { model: 'failing', max_tokens: 5_000, messages: [{ role: 'user', content }] };
    expect((await ask(key, '/v1/chat/completions', body)).status).toBe(200);
    const { max_tokens } = upstream.requests.at(-1)!.body;
    const [{ receipt }] = (await usageEntries(server, key.account)) as [Json];
    expect(max_tokens).toBeWithin(1_000, 5_000);
    expect(4_000 * RATES.input + max_tokens * RATES.output).toBeLessThanOrEqual(receipt.held_microcredits);
  });

  test('does not answer if the held amount is too small', async () => {
    const key = await createPayer(1_000 * CREDIT);
    const body = { model: 'failing', messages: [{ role: 'user', content: long.slice(0, 40_000) }] };
    expect((await ask(key, '/v1/chat/completions', body)).status).toBeGreaterThanOrEqual(500);
    expect(upstream.models()).not.toContain('hidden-unknown');
  });
});
