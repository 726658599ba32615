import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import { costOfTokens } from '../../money/ledger/cost-of-usage.ts';
import { type ListedPrices, ratesOf } from '../../money/ledger/rates.ts';

type ChargedExchange = {
  notes: ExchangeNotes;
  snapshot: { catalog: Pick<Exchange['snapshot']['catalog'], 'find'> };
};
/** A route and the operator's cost of it. Without a cost, the operator pays the price of the model. */
type CostedRoute = { provider: string; model: string; cost?: ListedPrices | null };

/**
 * Returns the operator's cost of a charged request, in micro-credits: at the cost of the route, or at the
 * model's own price.
 */
export function spendOf({ notes, snapshot }: ChargedExchange): number {
  if (notes.simulated) return 0;
  const cost = routeOf(notes, snapshot.catalog)?.cost;
  if (!cost) return notes.servedCostMicrocredits ?? notes.costMicrocredits ?? 0;
  const { inputTokens: input = 0, outputTokens: output = 0, usage } = notes;
  const cachedInput = Math.min(usage?.input.cacheRead ?? 0, input);
  return costOfTokens({ input, cachedInput, output }, ratesOf(cost));
}

/**
 * Returns the route that served a request. A provider can have several routes of a model, which differ in the
 * provider's name for it.
 */
function routeOf(
  { servedModel, provider, calls }: ExchangeNotes,
  catalog: ChargedExchange['snapshot']['catalog'],
): CostedRoute | undefined {
  const routes: readonly CostedRoute[] | undefined =
    servedModel === undefined ? undefined : catalog.find(servedModel)?.model.routes;
  const upstreamModel = calls?.at(-1)?.model;
  const providerRoutes = routes?.filter((route) => route.provider === provider);
  return providerRoutes?.find(({ model }) => model === upstreamModel) ?? providerRoutes?.[0];
}
