import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';
import { startWorstUpstream } from '../support/worst/start-worst-upstream.ts';
import type { WorstBill } from '../support/worst/worst-bill.ts';
import { type WorstWire, worstWires } from '../support/worst/worst-wires.ts';

const MAX_OUTPUT = 2_000;
const upstream = startWorstUpstream({ maxOutput: MAX_OUTPUT, callTokens: 25_000, calls: 10 });
const wires = Object.keys(worstWires) as WorstWire[];
const rowOf = (id: string, wire: string, fields: Json = {}) =>
  ableModel(id, [{ provider: `hidden-${wire}`, model: `hidden-${id}` }], {
    max_output: MAX_OUTPUT,
    context_window: 1_000_000,
    extras_usd: { web_search: 10 },
    ...fields,
  });
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    plans: wideLimits,
    providers: wires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
      api_key: 'key',
      ...(wire === 'anthropic-messages' && { allow_fields: ['fallbacks'] }),
    })),
    catalog: {
      default: false,
      models: [
        ...wires.map((wire) => rowOf(`on-${wire}`, wire)),
        rowOf('wise', 'anthropic-messages', { pricing_usd_per_mtok: { input: 5, output: 25 } }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(() => upstream.forget());

const RATES = { input: 500, output: 2_000 };
/** The fees of searches come in addition to the tokens. */
const costOf = ({ input, output, otherWork }: WorstBill): number =>
  [{ input, output }, ...otherWork].reduce(
    (sum, one) => sum + one.input * RATES.input + one.output * RATES.output,
    0,
  );
const billed = (): number => upstream.bills().reduce((sum, bill) => sum + costOf(bill), 0);

const CONTENT = 'one two three four five six seven';
const messages = [{ role: 'user', content: CONTENT }];
const fetchTool = { type: 'web_fetch_20250910', name: 'web_fetch' };
const searchTool = { type: 'web_search_20250305', name: 'web_search' };
const own = { name: 'own', input_schema: { type: 'object' } };
const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition: fetchTool } };

async function createPayer(credits: number): Promise<CreatedKey> {
  const key = await server.createKey('payg');
  await server.giveCredits(key.account, Math.ceil(credits * 1e6) / 1e6);
  return key;
}
const ask = ({ key }: { key: string }, path: string, body: Json) =>
  server.call(path, { headers: bearer(key), body });
const balanceOf = async ({ account }: CreatedKey): Promise<number> =>
  (await server.readAccount(account)).purchased_credits * 1e6;
const lossesOf = ({ headers }: { headers: Headers }): string[] =>
  (headers.get('x-svc-translation-losses') ?? '').split(/,\s*/).filter(Boolean);

type Case = [what: string, path: string, body: Json];
const onMessages = (fields: Json): Json => ({ max_tokens: 100, messages, ...fields });
const cases: Case[] = [
  ...wires.map(
    (wire): Case => [
      `chat completions on ${wire}`,
      '/v1/chat/completions',
      { model: `on-${wire}`, max_tokens: 16, messages, n: 2 },
    ],
  ),
  [
    'pages that a vendor fetches',
    '/v1/messages',
    onMessages({ model: 'on-anthropic-messages', tools: [fetchTool] }),
  ],
  [
    'searches and pages next to an own tool',
    '/v1/messages',
    onMessages({ model: 'on-anthropic-messages', tools: [searchTool, { ...fetchTool, max_uses: 3 }, own] }),
  ],
  [
    'pages that a tool of a later turn fetches',
    '/v1/messages',
    onMessages({
      model: 'on-anthropic-messages',
      tools: [own],
      messages: [...messages, { role: 'system', content: [addition] }, ...messages],
    }),
  ],
  [
    'a fallback with a higher ceiling',
    '/v1/messages',
    onMessages({
      model: 'on-anthropic-messages',
      fallbacks: [{ model: 'hidden-on-anthropic-messages', max_tokens: 1_500 }],
    }),
  ],
  [
    'a compaction with a small ceiling',
    '/v1/messages',
    onMessages({
      model: 'on-anthropic-messages',
      context_management: { edits: [{ type: 'compact_20260112' }] },
    }),
  ],
  [
    'hosted tools of responses',
    '/v1/responses',
    {
      model: 'on-openai-responses',
      max_output_tokens: 100,
      input: CONTENT,
      tools: [{ type: 'web_search' }],
    },
  ],
  [
    'a search that chat completions always make',
    '/v1/chat/completions',
    { model: 'on-openai-chat', max_tokens: 100, messages, web_search_options: {} },
  ],
];

describe('an upstream that bills the worst that its limits allow', () => {
  for (const [what, path, body] of cases)
    test(`never bills more than was held, with 200 requests at once on credit for 20: ${what} [CRD-49]`, async () => {
      const one = await createPayer(100_000);
      expect((await ask(one, path, body)).status).toBe(200);
      const [{ receipt }] = (await usageEntries(server, one.account)) as [Json];
      expect(receipt.held_microcredits).toBeGreaterThanOrEqual(billed());
      expect(receipt.held_microcredits).toBeLessThan(billed() * 2 + 4e6);

      upstream.forget();
      const credit = (receipt.held_microcredits * 20) / 1e6;
      const key = await createPayer(credit);
      const answers = await Promise.all(Array.from({ length: 200 }, () => ask(key, path, body)));
      const served = answers.filter(({ status }) => status === 200).length;
      expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
      expect(served).toBeGreaterThanOrEqual(20);
      expect(billed()).toBeLessThanOrEqual(credit * 1e6);
      const entries = await usageEntries(server, key.account);
      expect(entries.filter(({ shortfall_microcredits: short }) => short !== 0)).toEqual([]);
      const charged = entries.reduce((sum, { microcredits }) => sum + microcredits, 0);
      expect(charged).toBeGreaterThanOrEqual(billed());
      expect(await balanceOf(key)).toBeCloseTo(credit * 1e6 - charged, -2);
    });
});

describe('the limits of a hosted tool [CRD-49]', () => {
  const model = 'on-anthropic-messages';
  const tools = [fetchTool, own];
  const sentTools = (): Json[] => upstream.requests[0]!.tools;

  test('are sent as the defaults, without a loss, if the request has none', async () => {
    const answer = await ask(await createPayer(100_000), '/v1/messages', onMessages({ model, tools }));
    expect(answer.status).toBe(200);
    expect(sentTools()[0]).toEqual({ ...fetchTool, max_uses: 10, max_content_tokens: 25_000 });
    expect(lossesOf(answer)).toEqual([]);
  });

  test('stay as the request set them', async () => {
    const limited = [{ ...fetchTool, max_uses: 2, max_content_tokens: 9_000 }, own];
    const key = await createPayer(100_000);
    const answer = await ask(key, '/v1/messages', onMessages({ model, tools: limited }));
    expect(sentTools()).toEqual(limited);
    expect(lossesOf(answer)).toEqual([]);
  });

  test('are lowered to what the balance pays and reported as a loss', async () => {
    const key = await createPayer(100);
    const answer = await ask(key, '/v1/messages', onMessages({ model, tools }));
    expect(answer.status).toBe(200);
    expect(sentTools()[0]!.max_uses).toBeWithin(1, 10);
    expect(lossesOf(answer)).toEqual(['hosted-tool-limit']);
    expect(billed()).toBeLessThanOrEqual(100e6);
    expect(await balanceOf(key)).toBeCloseTo(100e6 - billed(), -2);
  });

  test('are lowered for the content of a single call too', async () => {
    const key = await createPayer(10);
    const answer = await ask(key, '/v1/messages', onMessages({ model, tools: [fetchTool] }));
    expect(sentTools()[0]).toMatchObject({ max_uses: 1 });
    expect(sentTools()[0]!.max_content_tokens).toBeWithin(5_000, 25_000);
    expect(lossesOf(answer)).toEqual(['hosted-tool-limit']);
    expect(billed()).toBeLessThanOrEqual(10e6);
  });

  test('are one for all tools of responses', async () => {
    const body = {
      model: 'on-openai-responses',
      max_output_tokens: 100,
      input: CONTENT,
      tools: [{ type: 'web_search' }],
    };
    await ask(await createPayer(100_000), '/v1/responses', body);
    expect(upstream.requests[0]!.max_tool_calls).toBe(10);
    upstream.forget();
    const answer = await ask(await createPayer(150), '/v1/responses', { ...body, max_tool_calls: 8 });
    expect(upstream.requests[0]!.max_tool_calls).toBeWithin(1, 8);
    expect(lossesOf(answer)).toEqual(['hosted-tool-limit']);
  });

  test('are lowered to the most that the gateway holds and reported as a loss', async () => {
    const many = [{ ...fetchTool, max_uses: 501, max_content_tokens: 100 }, own];
    const answer = await ask(
      await createPayer(1_000_000),
      '/v1/messages',
      onMessages({ model, tools: many }),
    );
    expect(sentTools()[0]!.max_uses).toBe(500);
    expect(lossesOf(answer)).toEqual(['hosted-tool-limit']);
  });

  test('may allow no call even of the only tool', async () => {
    const none = [{ ...fetchTool, max_uses: 0 }];
    const answer = await ask(await createPayer(1), '/v1/messages', onMessages({ model, tools: none }));
    expect(answer.status).toBe(200);
    expect(sentTools()[0]!.max_uses).toBe(0);
    expect(lossesOf(answer)).toEqual([]);
  });

  test('apply to a key with a cap but not to requests that only the plan pays', async () => {
    const capped = await server.createKey('max', { monthly_cap_usd: 0.2 });
    const answer = await ask(capped, '/v1/messages', onMessages({ model, tools }));
    expect(sentTools()[0]!.max_uses).toBeWithin(1, 10);
    expect(lossesOf(answer)).toEqual(['hosted-tool-limit']);
    upstream.forget();
    await ask(await server.createKey('max'), '/v1/messages', onMessages({ model, tools }));
    expect(sentTools()).toEqual(tools);
  });
});

describe('a hosted tool of which not even one call is affordable [CRD-49]', () => {
  const model = 'on-anthropic-messages';

  test('is removed if it is merely offered', async () => {
    const tools = [fetchTool, searchTool, own];
    const answer = await ask(await createPayer(1), '/v1/messages', onMessages({ model, tools }));
    expect(answer.status).toBe(200);
    expect(upstream.requests[0]!.tools).toEqual([own]);
    expect(lossesOf(answer).toSorted()).toEqual(['opaque-tool', 'web-search']);
  });

  test.each([
    ['the only tool', { tools: [fetchTool] }],
    ['forced', { tools: [fetchTool, own], tool_choice: { type: 'tool', name: 'web_fetch' } }],
  ])('is 402 with the figures if it is %s', async (_, fields) => {
    const refused = await ask(await createPayer(1), '/v1/messages', onMessages({ model, ...fields }));
    expect({ status: refused.status, message: refused.body.error.message }).toEqual({
      status: 402,
      message: expect.stringMatching(/one call of web_fetch can cost [\d.]+ credits; 1 are available/),
    });
    const capped = await server.createKey('max', { monthly_cap_usd: 0.002 });
    const beyond = await ask(capped, '/v1/messages', onMessages({ model, ...fields }));
    expect({ status: beyond.status, message: beyond.body.error.message }).toEqual({
      status: 402,
      message: expect.stringMatching(/one call of web_fetch can cost [\d.]+ credits; 1 are available/),
    });
  });

  test('is removed although the vendor has no limit for its calls', async () => {
    const own = { type: 'function', function: { name: 'own', parameters: { type: 'object' } } };
    const tools = [{ type: 'web_search' }, own];
    const body = { model: 'on-openai-chat', max_tokens: 100, messages, tools };
    const answer = await ask(await createPayer(100), '/v1/chat/completions', body);
    expect(upstream.requests[0]!.tools).toEqual([own]);
    expect(lossesOf(answer)).toEqual(['web-search']);
  });
});

test("an advisor is held at the prompt and its own output, at the advisor's rates [CRD-49]", async () => {
  const tool = { type: 'advisor_20260301', name: 'advisor', model: 'wise', max_uses: 1 };
  const key = await createPayer(1_000);
  const body = onMessages({ model: 'on-anthropic-messages', tools: [tool, own] });
  expect((await ask(key, '/v1/messages', body)).status).toBe(200);
  const [{ receipt }] = (await usageEntries(server, key.account)) as [Json];
  const advice = 2_500 * CONTENT.length + 12_500 * MAX_OUTPUT;
  expect(receipt.held_microcredits).toBeWithin(advice, advice + 15e6);
});

describe('an upstream that reports more than its limits allow [CRD-49]', () => {
  const tools = [{ ...fetchTool, max_uses: 2 }];
  const body = onMessages({ model: 'on-anthropic-messages', tools });

  test('is paid down to zero with the shortfall in the receipt', async () => {
    upstream.exceed(20);
    const key = await createPayer(100);
    expect((await ask(key, '/v1/messages', body)).status).toBe(200);
    const [entry] = (await usageEntries(server, key.account)) as [Json];
    expect(entry.receipt).toMatchObject({ shortfall_reason: 'purchased_balance', estimated: true });
    expect(entry.shortfall_microcredits).toBe(entry.list_cost_microcredits - 100e6);
    expect(await balanceOf(key)).toBe(0);
  });

  test('is not paid for output beyond the ceiling', async () => {
    upstream.exceed(20);
    const key = await createPayer(100_000);
    await ask(key, '/v1/messages', { ...body, tools: undefined });
    const [entry] = (await usageEntries(server, key.account)) as [Json];
    expect(entry).toMatchObject({ output_tokens: 100, receipt: { estimated: true } });
  });
});

test('a request with a hundred hosted tools is served in time', async () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    type: 'web_search_20250305',
    name: `search_${index}`,
    max_uses: 500,
  }));
  const body = onMessages({ model: 'on-anthropic-messages', tools: [own, ...many] });
  const answer = await ask(await createPayer(10_000), '/v1/messages', body);
  expect(answer.status).toBe(200);
  expect(upstream.requests[0]!.tools.length).toBeLessThanOrEqual(33);
  expect(lossesOf(answer).toSorted()).toEqual(['hosted-tool-limit', 'web-search']);
});
