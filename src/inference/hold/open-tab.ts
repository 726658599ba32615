import { isSimulated } from '../../settings/catalog/catalog.ts';
import { modeRates } from '../cost/mode-rates.ts';
import { outputCeilingOf } from '../cost/output-ceiling-of.ts';
import type { Inference } from '../request/inference.ts';
import { Belief } from '../settlement/belief.ts';
import { DetailPrices } from '../settlement/detail-prices.ts';
import { estimateOf } from '../settlement/request-estimate.ts';

/** Opens the tab of a request whose credit is held, and the estimate of what it uses. */
export function openTab(inference: Inference): undefined {
  const { exchange, trail, hold, limitCount, entry, request, prompt, allowance, credit, services } =
    inference;
  const { rates, rating } = credit;
  const belief = new Belief(inference);
  inference.belief = belief;
  inference.estimate = estimateOf(inference);
  inference.tab = services.tabs.open({
    exchange,
    trail,
    hold,
    limitCount,
    model: entry.model.id,
    rates,
    ratesOf: (served) => modeRates(exchange.snapshot.catalog.find(served) ?? entry, rating),
    detailPrices: new DetailPrices(inference, rating),
    prompt,
    outputCeiling: (request.metered ? null : allowance?.output) ?? outputCeilingOf(inference, entry.model),
    clock: services.clock,
    belief,
    isSimulated: isSimulated(entry),
  });
}
