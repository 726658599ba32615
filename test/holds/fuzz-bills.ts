import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';
import { startWorstUpstream, type WorstBill, type WorstWire, worstWires } from '../support/worst-upstream.ts';
import { type RandomRequest, RequestMaker } from './random-request.ts';

export type BillReport = {
  tries: number;
  served: number;
  /** Requests of each feature that were served. */
  features: Record<string, number>;
  /** Requests whose bill was above the hold, above the credit, or above the charge. */
  faults: { fault: string; billed: number; bound: number; request: RandomRequest }[];
  /** The median of the holds, in bills. */
  medianRatio: number;
};

export type BillOptions = { tries: number; random: () => number; onTry?: (tries: number) => void };

const OWN = 2_000;
/** A report has room for this much work beside an answer. */
const MAX_BESIDE = 64;
const wires = Object.keys(worstWires) as WorstWire[];
const prices = {
  usual: { input: 1, output: 4, search: 10, fast: 2.5 },
  wise: { input: 5, output: 25, search: 10, fast: 6 },
};
const rowOf = (id: string, wire: WorstWire, { input, output, search, fast }: typeof prices.usual) =>
  ableModel(id, [{ provider: `hidden-${wire}`, model: `hidden-${id}` }], {
    max_output: OWN,
    context_window: 1_000_000,
    pricing_usd_per_mtok: { input, output },
    extras_usd: { web_search: search, fast },
  });

const CREDITS_PER_USD = 500;
const onMessages = 'on-anthropic-messages';

/**
 * Returns the price of one model's tokens, by its public name or the vendor's. A model that is served fast
 * costs its factor.
 */
const pricesOf = (name: string | undefined): typeof prices.usual =>
  name?.endsWith('wise') ? prices.wise : prices.usual;

/**
 * Computes the vendor's bill in micro-credits. A fallback is fast if it says so, or if the request does and
 * the fallback says nothing.
 */
function costOf({ input, output, beside, searches }: WorstBill, body: Json): number {
  const speeds = new Map<string, boolean>(
    (body.fallbacks ?? []).map(({ model, speed }: Json) => [model, (speed ?? body.speed) === 'fast']),
  );
  const of = (name: string | undefined, isFast: boolean, tokens: { input: number; output: number }) => {
    const price = pricesOf(name);
    return (tokens.input * price.input + tokens.output * price.output) * (isFast ? price.fast : 1);
  };
  const own = of(body.model, body.speed === 'fast', { input, output });
  const others = beside.map(({ type, model, ...tokens }) => {
    const isFast = model === body.model ? body.speed === 'fast' : (speeds.get(model!) ?? false);
    return of(model, isFast && type !== 'advisor_message', tokens);
  });
  const fees = searches * pricesOf(body.model).search * 1_000;
  return ([own, fees, ...others].reduce((sum, one) => sum + one, 0) / 1e6) * CREDITS_PER_USD * 1e6;
}

const features: Record<string, (body: Json) => boolean> = {
  hosted: ({ tools = [] }) => tools.some(({ type }: Json) => /^(web_|advisor)/.test(type ?? '')),
  advisor: ({ tools = [] }) => tools.some(({ type }: Json) => type?.startsWith('advisor')),
  thinking: (body) => (body.thinking ?? body.reasoning ?? body.reasoning_effort) !== undefined,
  compaction: (body) => body.context_management !== undefined,
  fallback: (body) => body.fallbacks !== undefined,
  fast: (body) => body.speed === 'fast',
  stream: (body) => body.stream === true,
};

/**
 * Sends random requests to an upstream that bills the worst that each allows, and
 * compares the whole bill with the hold.
 */
export async function fuzzBills({ tries, random, onTry }: BillOptions): Promise<BillReport> {
  const upstream = startWorstUpstream({ own: OWN, tokens: 25_000, calls: 10 });
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
          ...wires.map((wire) => rowOf(`on-${wire}`, wire, prices.usual)),
          rowOf('wise', 'anthropic-messages', prices.wise),
        ],
      },
    },
  });
  const payer = async (microcredits: number) => {
    const key = await server.createKey('payg');
    const given = { credits: microcredits / 1e6, balance: 'purchased', reason: 'a test' };
    await server.admin('POST', `/accounts/${key.account}/adjustments`, given);
    return key;
  };
  const maker = new RequestMaker(random, {
    models: [...wires.map((wire) => `on-${wire}`), 'wise'],
    onMessages,
    onResponses: 'on-openai-responses',
    onChat: 'on-openai-chat',
    others: [onMessages, `hidden-${onMessages}`, 'wise', 'hidden-wise'],
  });
  const ask = ({ key }: { key: string }, { path, body }: RandomRequest) => {
    upstream.forget();
    return server.call(path, { headers: bearer(key), body });
  };
  const billed = () =>
    upstream.bills().reduce((sum, bill, index) => sum + costOf(bill, upstream.requests[index]!), 0);
  const report: BillReport = { tries: 0, served: 0, features: {}, faults: [], medianRatio: 0 };
  const ratios: number[] = [];
  const compare = (fault: string, bill: number, bound: number, request: RandomRequest) => {
    if (bill > bound * (1 + 1e-6) + 1) report.faults.push({ fault, billed: bill, bound, request });
  };
  try {
    const rich = await payer(1e13);
    for (; report.tries < tries; report.tries++) {
      onTry?.(report.tries);
      const request = maker.next();
      const answer = await ask(rich, request);
      if (answer.status !== 200) {
        if (![400, 422].includes(answer.status)) compare(`status ${answer.status}`, 1, -1, request);
        continue;
      }
      report.served++;
      for (const [name, has] of Object.entries(features))
        if (has(request.body)) report.features[name] = (report.features[name] ?? 0) + 1;
      const bill = billed();
      const isReported = upstream.bills().every(({ beside }) => beside.length <= MAX_BESIDE);
      const id = answer.headers.get('x-svc-request-id');
      const { body: receipt } = await server.call(`/v1/usage/${id}`, { headers: bearer(rich.key) });
      compare('above the hold', bill, receipt.held_microcredits, request);
      if (isReported) compare('above the charge', bill, receipt.microcredits, request);
      ratios.push(receipt.held_microcredits / bill);

      const credit = Math.ceil(receipt.held_microcredits * random());
      const poor = await payer(credit);
      const { status } = await ask(poor, request);
      if (status !== 200 && status !== 402) compare(`status ${status} on less credit`, 1, -1, request);
      compare('above the credit', billed(), credit, request);
    }
  } finally {
    await server.stop();
    await upstream.stop();
  }
  report.medianRatio = ratios.sort((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? 0;
  return report;
}
