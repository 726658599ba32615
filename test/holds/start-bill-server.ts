import { type Answer, bearer } from '../support/call.ts';
import { purchasedCredit } from '../support/purchased-credit.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';
import { startWorstUpstream } from '../support/worst/start-worst-upstream.ts';
import { type WorstWire, worstWires } from '../support/worst/worst-wires.ts';
import type { RandomRequest } from './random-request.ts';
import { EXPENSIVE_MODEL, highPrices, usualPrices, type VendorPrices, vendorBill } from './vendor-bill.ts';

const MAX_OUTPUT = 2_000;
const wires = Object.keys(worstWires) as WorstWire[];
const onMessages = 'on-anthropic-messages';

/** The models of the server. Each wire has one with the usual prices. */
export const billedModels = {
  models: [...wires.map((wire) => `on-${wire}`), EXPENSIVE_MODEL],
  onMessages,
  onResponses: 'on-openai-responses',
  onChat: 'on-openai-chat',
  /** Models of Anthropic, by the names of the gateway and of the provider. */
  namesOnMessages: [onMessages, `hidden-${onMessages}`, EXPENSIVE_MODEL, `hidden-${EXPENSIVE_MODEL}`],
};

const modelRow = (id: string, wire: WorstWire, { input, output, search, fast }: VendorPrices) =>
  ableModel(id, [{ provider: `hidden-${wire}`, model: `hidden-${id}` }], {
    max_output: MAX_OUTPUT,
    context_window: 1_000_000,
    pricing_usd_per_mtok: { input, output },
    extras_usd: { web_search: search, fast },
  });

const configOf = (upstreamUrl: string) => ({
  simulator: { mode: 'off' },
  plans: wideLimits,
  providers: wires.map((wire) => ({
    id: `hidden-${wire}`,
    wire,
    base_url: upstreamUrl,
    api_key: 'key',
    ...(wire === 'anthropic-messages' && { allow_fields: ['fallbacks'] }),
  })),
  catalog: {
    default: false,
    models: [
      ...wires.map((wire) => modelRow(`on-${wire}`, wire, usualPrices)),
      modelRow(EXPENSIVE_MODEL, 'anthropic-messages', highPrices),
    ],
  },
});

/** Starts a server in front of an upstream that bills the most that each request allows. */
export async function startBillServer() {
  const upstream = startWorstUpstream({ maxOutput: MAX_OUTPUT, callTokens: 25_000, calls: 10 });
  const server = await startServer({ config: configOf(upstream.url) });
  return {
    ...purchasedCredit(server),
    /** Forgets the bills of earlier requests, and sends a request. */
    send({ key }: CreatedKey, { path, body }: RandomRequest): Promise<Answer> {
      upstream.forget();
      return server.call(path, { headers: bearer(key), body });
    },
    /** Returns the sum of the vendor's bills for the last request, in micro-credits. */
    billed: (): number =>
      upstream.bills().reduce((sum, bill, index) => sum + vendorBill(bill, upstream.requests[index]!), 0),
    /** Returns the most pieces of additional work that one answer reported. */
    mostOtherWork: (): number => Math.max(0, ...upstream.bills().map(({ otherWork }) => otherWork.length)),
    async stop(): Promise<void> {
      await server.stop();
      await upstream.stop();
    },
  };
}

export type BillServer = Awaited<ReturnType<typeof startBillServer>>;
