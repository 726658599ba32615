import { after, type MaybeLater } from '../../base/lib/after.ts';
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
import { maxMeteredTokens, meteredWorst } from '../cost/metered-cost.ts';
import { FREE, modeRates } from '../cost/mode-rates.ts';
import { type RateChoices, rateChoices } from '../cost/rate-choices.ts';
import { type WorstCost, worstCost } from '../cost/worst-cost.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { holdOrder } from './hold-order.ts';

const FREE_CHOICES: RateChoices = [{ ...FREE, row: BASE_ROW }];

/** Computes what the request may cost, and the order to hold it. */
export const orderCredit: Step = (inference) =>
  after(creditOrder(inference, inference.services.clock.now()), (credit) => {
    inference.credit = credit;
    return undefined;
  });

/**
 * Builds the order that checks the credit and the key's cap, and holds the most that the
 * request may cost where required.
 */
export function creditOrder(inference: Inference, now: number): MaybeLater<CreditOrder> {
  const { exchange, principal, permit } = inference;
  const { entry, mode } = permit;
  const rating = inference.rating(now);
  const rates = modeRates(entry, rating);
  const ordered = (worst: WorstCost | null): CreditOrder => ({
    order: holdOrder({ exchange, principal, mode, now, worst }),
    rating,
    rates,
    worst,
  });
  const isHeld =
    mode === 'payg' || principal.apiKey.monthlyCapUsd !== null || principal.account.hasBudgets === true;
  return isHeld ? after(worstOf(inference, { rates, rating }), ordered) : ordered(null);
}

export type Rated = Pick<CreditOrder, 'rates' | 'rating'>;

/**
 * Computes the most that the request may cost at these rates.
 * A model without targets of its own is priced by its substitutes.
 */
export function worstOf(inference: Inference, rated: Rated): MaybeLater<WorstCost> {
  const { permit, dialect, request, prompt } = inference;
  const { entry, substitutes } = permit;
  const { ceilings = [], unaskedOutput } = dialect;
  if (request.metered) return worstMetered(inference, request.metered, rated);
  const servers = entry.targets.length > 0 ? [entry] : substitutes();
  return after(prompt.bound(servers), (input) =>
    worstCost({
      ...request,
      entry,
      input,
      ceilings,
      unaskedOutput,
      bounds: boundsOfServers(servers.length > 0 ? servers : [entry]),
      leastOutput: leastOutputOf(entry),
      ...(isSimulated(entry) ? { rates: FREE_CHOICES } : besideTokens(inference, servers, rated)),
    }),
  );
}

function worstMetered(
  { exchange, permit: { entry }, request }: Inference,
  ask: MeteredAsk,
  rated: Rated,
): WorstCost {
  const tokens = maxMeteredTokens(ask, exchange.snapshot.config.limits.image_tokens);
  const { meteredUsd } = entry.model;
  if (isSimulated(entry))
    return meteredWorst({ asked: ask, tokens, rates: FREE_CHOICES, metered: undefined });
  return meteredWorst({
    asked: ask,
    tokens,
    rates: choicesOf(request, rated, extrasAt(entry.model, rated.rating)),
    metered: meteredUsd ? meteredRatesOf(meteredUsd) : undefined,
  });
}

const NO_EXTRAS: ExtraRates = { units: {}, factors: {} };

const choicesOf = (
  { body, extras: asked }: InferenceRequest,
  { rates }: Rated,
  extras: ExtraRates,
): RateChoices => rateChoices({ rates, extras, body, asked });

/** Returns the most that the request may cost beyond its tokens at the model's rates. */
function besideTokens(
  { exchange, permit: { entry }, dialect, request }: Inference,
  servers: readonly CatalogEntry[],
  rated: Rated,
) {
  const { body } = request;
  const extras = extrasAt(entry.model, rated.rating);
  const rates = choicesOf(request, rated, extras);
  const ratesOf = (other: CatalogEntry, extras = NO_EXTRAS) =>
    choicesOf(request, { ...rated, rates: modeRates(other, rated.rating) }, extras);
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
