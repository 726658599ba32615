import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../src/base/lib/units.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { isLong } from '../support/is-long.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { tablesIn } from '../support/prices/price-cases.ts';
import { bill, hasPrice, highest, type PriceTable, type Tier, tiers } from '../support/prices/price-rules.ts';
import { startServer } from '../support/start-server.ts';
import { testSeed } from '../support/test-seed.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

/**
 * Random price tables through the whole gateway: ledger, receipt and quote against an
 * independent evaluator of the rules.
 */

const REQUESTS = isLong ? 10_000 : 500;
const MODELS = isLong ? 60 : 20;
const STEPS = isLong ? 250 : 25;
const CEILING = 150;

const HALF_HOUR_MS = 1_800_000;
const seed = testSeed(54);
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const span = { start: today, days: 40 };
const draw = <T>(values: fc.Arbitrary<T>, count: number): T[] => fc.sample(values, { numRuns: count, seed });

/** The default tier and the chat protocol report neither the region nor cache writes. */
const simple = ({ extras: { cache_write_1h: _, cache_write_30m: __, ...extras }, ...table }: PriceTable) => ({
  ...table,
  extras: { ...extras, inference_geo: 1 },
});

const own = draw(tablesIn(span), MODELS).map(simple);
const payg = draw(fc.option(tablesIn(span)), MODELS).map(
  (table, index): PriceTable => ({ ...(table ?? own[index]!), extras: own[index]!.extras }),
);
const idOf = (index: number): string => `model-${String(index).padStart(3, '0')}`;
const pricingOf = ({ base, conditions }: PriceTable) => ({ ...base, conditions });
/** Its highest price shows the most input of a body. */
const RULER = 'ruler-000';

type Case = {
  index: number;
  model: number;
  isPayg: boolean;
  asked: Tier | undefined;
  region: string | undefined;
  reported: Tier | undefined;
  usage: { input: number; cached: number; output: number };
  /** The request is under way while the clock moves on. */
  isOpen: boolean;
};

const tier = fc.option(fc.constantFrom<Tier>(...tiers), { nil: undefined, freq: 2 });
const counted = fc.integer({ min: 1, max: CEILING });
const cases = draw(
  fc.record({
    model: fc.nat({ max: MODELS - 1 }),
    isPayg: fc.boolean(),
    asked: tier,
    region: fc.option(fc.constantFrom('eu', 'us', 'apac'), { nil: undefined, freq: 1 }),
    reported: tier,
    // A report without input or output is one that the gateway completes by an estimate.
    usage: fc.record({ input: counted, cached: fc.nat({ max: CEILING }), output: counted }),
    isOpen: fc.integer({ min: 0, max: 19 }).map((drawn) => drawn === 0),
  }),
  REQUESTS,
).map((one, index): Case => ({ ...one, index }));

/** Each step is five minutes after a time at which rows can change. */
const steps = draw(fc.integer({ min: 49, max: span.days * 48 - 2 }), STEPS)
  .map((half) => today + half * HALF_HOUR_MS + 300_000)
  .toSorted((one, other) => one - other);

const held = new Map<number, PromiseWithResolvers<void>>();
const arrived = new Set<number>();
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body: Json = await request.json();
    const index = Number(/case (\d+)/.exec(body.messages[0].content)![1]);
    const { usage, reported } = cases[index]!;
    arrived.add(index);
    await held.get(index)?.promise;
    const { input, output, cached } = usage;
    const answer = await answerWithUsage(input, output, { cached: Math.min(cached, input) })({
      body,
    } as Json);
    return Response.json({ ...((await answer.json()) as Json), ...(reported && { service_tier: reported }) });
  },
});

/** A model that does not think, so that its ceiling bounds its answers. */
const modelOf = (id: string, fields: Json) =>
  ableModel(id, [{ provider: 'hidden', model: `hidden-${id}` }], {
    capabilities: { tools: true, reasoning: false, vision: false, documents: false },
    reasoning_efforts: [],
    ...fields,
  });
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    plans: wideLimits,
    providers: [{ id: 'hidden', wire: 'openai-chat', base_url: upstream.url.origin }],
    catalog: {
      default: false,
      models: [
        ...own.map((table, index) =>
          modelOf(idOf(index), {
            pricing_usd_per_mtok: pricingOf(table),
            ...(payg[index]!.base !== table.base && { payg_pricing_usd_per_mtok: pricingOf(payg[index]!) }),
            extras_usd: table.extras,
          }),
        ),
        modelOf(RULER, {
          pricing_usd_per_mtok: { input: 1, output: 0 },
          extras_usd: { flex: 1, fast: 1, priority: 1, ultrafast: 1, inference_geo: 1 },
        }),
      ],
    },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});

const bodyOf = (model: string, { index, asked, region }: Case) => ({
  model,
  max_tokens: CEILING,
  messages: [{ role: 'user', content: `case ${String(index).padStart(6, '0')} ${'word '.repeat(40)}` }],
  ...(asked && { service_tier: asked }),
  ...(region && { inference_geo: region }),
});

type Caller = { key: string; account: string };
const headersOf = ({ isPayg }: Case, { key }: Caller) => ({
  ...bearer(key),
  'x-svc-payment-mode': isPayg ? 'payg' : 'subscription',
});

const quoted = async (model: string, one: Case, caller: Caller): Promise<Json> => {
  const answer = await server.call('/v1/quote', {
    headers: headersOf(one, caller),
    body: bodyOf(model, one),
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: expect.anything() });
  return answer.body;
};

const maxInput = new Map<string, number>();
/** The most input that the body of a case can have. It depends on the members alone. */
async function mostInputOf(one: Case, caller: Caller): Promise<number> {
  const members = `${one.asked} ${one.region}`;
  const known = maxInput.get(members);
  if (known !== undefined) return known;
  const { credits } = await quoted(RULER, one, caller);
  const most = Math.round((credits.highest * 1e6) / 500);
  maxInput.set(members, most);
  return most;
}

type Charged = { one: Case; at: number; requestId: string };

/** Quotes a request and sends it. */
async function send(drawn: Case, at: number, caller: Caller): Promise<Charged> {
  const table = (drawn.isPayg ? payg : own)[drawn.model]!;
  const asked = drawn.asked && hasPrice(table, { at }, drawn.asked) ? drawn.asked : undefined;
  const one = { ...drawn, asked };
  const quote = await quoted(idOf(drawn.model), drawn, caller);
  const limits = { input: await mostInputOf(one, caller), output: CEILING };
  const most = highest(table, { at, asked, region: one.region }, limits);
  const reported = {
    case: drawn,
    highest: Math.round(quote.credits.highest * 1e6),
    rows: [...quote.price_rows].sort(),
  };
  expect(reported).toEqual({ case: drawn, highest: most.microcredits, rows: [...most.rows].sort() });
  const answer = await server.call('/v1/chat/completions', {
    headers: headersOf(drawn, caller),
    body: bodyOf(idOf(drawn.model), drawn),
  });
  const { headers } = expectOk(answer);
  return { one, at, requestId: headers.get('x-request-id')! };
}

/** Returns all entries of an account by their request. */
async function ledgerOf({ account }: Caller): Promise<Map<string, Json>> {
  return new Map((await ledgerEntries(server, account)).map((entry) => [entry.request_id, entry]));
}

/** Computes the sum that a customer can work out from the rows of a receipt. */
const sumOf = ({ prices }: Json): number => {
  const units = prices.map((row: Json) => BigInt(row.tokens) * BigInt(Math.round(row.usd_per_mtok * 5e8)));
  const sum = units.reduce((one: bigint, other: bigint) => one + other, 0n);
  return Number((sum + 999_999n) / 1_000_000n);
};

async function check({ one, at, requestId }: Charged, caller: Caller, entries: Map<string, Json>) {
  const table = (one.isPayg ? payg : own)[one.model]!;
  const reported = one.reported ? [one.reported] : [];
  const { microcredits, row } = bill(table, { at, ...one }, { ...one.usage, reported });
  const entry = entries.get(requestId);
  const { body: receipt } = await server.call(`/v1/usage/${requestId}`, { headers: bearer(caller.key) });
  const found = {
    case: one,
    ledger: entry?.microcredits,
    row: entry?.receipt.price_row,
    receipt: receipt.microcredits,
    receiptRow: receipt.price_row,
    sum: sumOf(receipt),
  };
  expect(found).toEqual({
    case: one,
    ledger: microcredits,
    row,
    receipt: microcredits,
    receiptRow: row,
    sum: microcredits,
  });
  if (one.isPayg) expect(entry.receipt.held_microcredits).toBeGreaterThanOrEqual(microcredits);
}

const perStep = Math.ceil(REQUESTS / STEPS);
let now = Date.now();

test(`${REQUESTS} requests cost what the rules say, on ledger, receipt and quote [CRD-54]`, async () => {
  let open: { caller: Caller; pending: Promise<Charged>[]; charged: Charged[]; cases: Case[] } | undefined;
  /** Ends the requests that were left open before the clock moved, and checks a step. */
  const close = async () => {
    if (!open) return;
    for (const { index } of open.cases) held.get(index)!.resolve();
    const charged = [...open.charged, ...(await Promise.all(open.pending))];
    const entries = await ledgerOf(open.caller);
    for (const one of charged) await check(one, open.caller, entries);
    open = undefined;
  };
  for (const [step, at] of steps.entries()) {
    const real = Date.now();
    await server.admin('POST', '/test/clock', { advance_s: Math.max(0.001, (at - now) / 1_000) });
    now = at + (Date.now() - real);
    await close();
    const caller = await server.createKey('enterprise');
    await server.purchase(caller.account, 1_000);
    const mine = cases.slice(step * perStep, (step + 1) * perStep);
    const left = mine.filter(({ isOpen }) => isOpen);
    for (const { index } of left) held.set(index, Promise.withResolvers());
    const sent = mine.map((one) => ({ one, charged: send(one, at, caller) }));
    const charged = await Promise.all(sent.filter(({ one }) => !one.isOpen).map((one) => one.charged));
    await waitFor(() => left.every(({ index }) => arrived.has(index)));
    const pending = sent.filter(({ one }) => one.isOpen).map((one) => one.charged);
    open = { caller, pending, charged, cases: left };
    now += Date.now() - real - (now - at);
  }
  await close();
}, 600_000);

test('the ledger of all these charges is sound [CRD-54]', async () => {
  const { status, body } = await server.admin('GET', '/ledger/verify');
  expect({ status, faults: body.faults }).toEqual({ status: 200, faults: [] });
});
