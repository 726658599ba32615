import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import { meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { boundsOfServers } from '../cost/answer-bounds.ts';
import { compactionsOf } from '../cost/compactions-of.ts';
import { fallbackModels } from '../cost/consulted-models.ts';
import type { CreditOrder } from '../cost/credit-order.ts';
import { extrasAt, fallbackFactors } from '../cost/extras-at.ts';
import { hostedGroups } from '../cost/hosted-groups.ts';
import { leastOutputOf } from '../cost/least-output-of.ts';
import { maxMeteredTokens } from '../cost/max-metered-tokens.ts';
import { meteredWorstCost } from '../cost/metered-worst-cost.ts';
import { FREE, modeRates } from '../cost/mode-rates.ts';
import { type RateChoices, rateChoices } from '../cost/rate-choices.ts';
import { type WorstCost, worstCost } from '../cost/worst-cost.ts';
import type { Inference } from '../request/inference.ts';

const FREE_CHOICES: RateChoices = [{ ...FREE, row: BASE_ROW }];
const NO_EXTRAS: ExtraRates = { units: {}, factors: {} };

/** The rates of a model, and the facts that selected them. */
export type SelectedRates = Pick<CreditOrder, 'rates' | 'rating'>;

/**
 * Computes the most that the request may cost at these rates. A model without targets of its own is priced by
 * its substitutes.
 */
export function worstOf(inference: Inference, selected: SelectedRates): MaybeLater<WorstCost> {
  const { permit, dialect, request, prompt } = inference;
  const { entry, substitutes } = permit;
  const { ceilings = [], unaskedOutput } = dialect;
  if (request.metered) return worstOfMetered(inference, request.metered, selected);
  const servers = entry.targets.length > 0 ? [entry] : substitutes();
  return andThen(prompt.bound(servers), (input) =>
    worstCost({
      ...request,
      entry,
      input,
      ceilings,
      unaskedOutput,
      bounds: boundsOfServers(servers.length > 0 ? servers : [entry]),
      leastOutput: leastOutputOf(entry),
      ...(isSimulated(entry) ? { rates: FREE_CHOICES } : pricedParts(inference, servers, selected)),
    }),
  );
}

function worstOfMetered(
  { exchange, permit: { entry }, request }: Inference,
  ask: MeteredAsk,
  selected: SelectedRates,
): WorstCost {
  const tokens = maxMeteredTokens(ask, exchange.snapshot.config.limits.image_tokens);
  const { meteredUsd } = entry.model;
  if (isSimulated(entry)) return meteredWorstCost({ ask, tokens, rates: FREE_CHOICES, metered: undefined });
  return meteredWorstCost({
    ask,
    tokens,
    rates: choicesOf(request, selected, extrasAt(entry.model, selected.rating)),
    metered: meteredUsd ? meteredRatesOf(meteredUsd) : undefined,
  });
}

const choicesOf = (
  { body, extras: asked }: InferenceRequest,
  { rates }: SelectedRates,
  extras: ExtraRates,
): RateChoices => rateChoices({ rates, extras, body, asked });

/** Returns the rates of the tokens, and the further parts of a request that have a price. */
function pricedParts(
  { exchange, permit: { entry }, dialect, request }: Inference,
  servers: readonly CatalogEntry[],
  selected: SelectedRates,
) {
  const { body } = request;
  const extras = extrasAt(entry.model, selected.rating);
  const rates = choicesOf(request, selected, extras);
  const ratesOf = (other: CatalogEntry, otherExtras = NO_EXTRAS) =>
    choicesOf(request, { ...selected, rates: modeRates(other, selected.rating) }, otherExtras);
  const fallbackRates = (other: CatalogEntry) =>
    ratesOf(other, { units: {}, factors: fallbackFactors(other.model, entry.model) });
  return {
    rates,
    hosted: hostedGroups({ exchange, entry, servers, dialect, request, extras, rates, ratesOf }),
    compactions: compactionsOf(body.value),
    fallbacks: fallbackModels(body.value, exchange.snapshot.catalog).map(
      ({ entry: other = entry, ceiling }) => ({
        rates: other === entry ? rates : fallbackRates(other),
        bounds: boundsOfServers([other]),
        ceiling,
      }),
    ),
  };
}
