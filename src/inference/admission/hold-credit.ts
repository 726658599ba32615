import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import type { Hold, HoldOrder } from '../../money/ledger/hold.ts';
import { meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import { capOfUsd } from '../../money/ledger/microcredits.ts';
import { BASE_ROW, type RatesInRows, rateRowsOf } from '../../money/ledger/rate-row.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { Permit } from './admit.ts';
import { boundsOfServers } from './answer-bounds.ts';
import { compactionsOf, fallbackModels } from './consulted-models.ts';
import { extrasAt, fallbackFactors } from './extras-at.ts';
import { type HostedGroup, hostedGroups } from './hosted-groups.ts';
import { leastOutputOf } from './least-output.ts';
import { meteredWorst, mostMeteredTokens } from './metered-cost.ts';
import { type RateChoices, rateChoices } from './rate-choices.ts';
import { askedRegion, pricingFor, type RateQuestion } from './rate-question.ts';
import { type AnswerPlan, type WorstCost, worstCost } from './worst-cost.ts';

export type CreditQuestion = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  /** The protocol's rules for the length of answers. */
  dialect: Pick<Dialect, 'ceilings' | 'unaskedOutput' | 'wire' | 'inspect'>;
  request: InferenceRequest;
  prompt: BoundedPrompt;
  /** The request is sent in a provider's own batch. */
  isNative: boolean;
  /** For an item of a batch: the time of the batch's creation, which its prices are taken at. */
  unattended?: { pricedAt: number } | undefined;
};

export type BoundedPrompt = {
  /** Returns the most tokens that the prompt can have, whichever of these models serves it. */
  bound(servers: readonly CatalogEntry[]): MaybeLater<number>;
};

export type Ordering = Pick<CreditQuestion, 'exchange' | 'principal'> & {
  now: number;
  mode: PaymentMode;
  /** The most that the request may cost, if that amount is held. */
  worst?: WorstCost | null;
};

/** `output`: the most tokens of each answer. `grants`: the calls of each of the `hosted` groups. */
export type OutputAllowance = AnswerPlan & {
  /** The request sets no ceiling, so the gateway must send this one. */
  isOpen: boolean;
  hosted: readonly HostedGroup[];
  /** Returns the output that is left for another model, whose prompt has `input` tokens. Negative: the prompt alone costs more. */
  beside(input: number, entry: CatalogEntry): number;
};

/** The rates of simulated answers. */
const FREE: Rates = { input: 0, cachedInput: 0, output: 0 };
const FREE_CHOICES: RateChoices = [{ ...FREE, row: BASE_ROW }];

export function modeRates(entry: CatalogEntry, rating: RateQuestion): RatesInRows {
  if (isSimulated(entry)) return FREE;
  return rateRowsOf(pricingFor(entry.model, rating), rating);
}

/** Returns the longest answer that the hold covers, and the calls of hosted tools. */
export function allowanceOf(worst: WorstCost, { microcredits }: Hold): OutputAllowance {
  const plan = worst.planFor(microcredits);
  return {
    ...plan,
    isOpen: worst.isOpen,
    hosted: worst.hosted,
    beside: (input, entry) =>
      worst.ceilingBeside(microcredits, { ...plan, input, bounds: boundsOfServers([entry]) }),
  };
}

/** `rating`: the facts that selected the rates. */
export type CreditOrder = {
  order: HoldOrder;
  rating: RateQuestion;
  rates: RatesInRows;
  worst: WorstCost | null;
};

/** Builds the order that checks the credit and the key's cap, and holds the most that the request may cost where required. */
export function creditOrder(question: CreditQuestion, now: number): MaybeLater<CreditOrder> {
  const { exchange, principal, permit } = question;
  const { entry, mode } = permit;
  const rating = ratingOf(question, now);
  const rates = modeRates(entry, rating);
  const isHeld = mode === 'payg' || principal.apiKey.monthlyCapUsd !== null;
  const ordered = (worst: WorstCost | null): CreditOrder => ({
    order: holdOrder({ exchange, principal, mode, now, worst }),
    rating,
    rates,
    worst,
  });
  return isHeld ? after(worstOf(question, { rates, rating }), ordered) : ordered(null);
}

const ratingOf = (
  { permit: { mode }, isNative, request, unattended }: CreditQuestion,
  now: number,
): RateQuestion => ({
  mode,
  isNative,
  at: unattended?.pricedAt ?? now,
  region: askedRegion(request.body.value),
});

export type Rated = Pick<CreditOrder, 'rates' | 'rating'>;

/** Computes the most that the request may cost at these rates. A model without targets of its own is priced by its substitutes. */
export function worstOf(question: CreditQuestion, rated: Rated): MaybeLater<WorstCost> {
  const { permit, dialect, request, prompt } = question;
  const { entry, substitutes } = permit;
  const { ceilings = [], unaskedOutput } = dialect;
  if (request.metered) return worstMetered(question, request.metered, rated);
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
      ...(isSimulated(entry) ? { rates: FREE_CHOICES } : besideTokens(question, servers, rated)),
    }),
  );
}

function worstMetered(
  { exchange, permit: { entry }, request }: CreditQuestion,
  asked: MeteredAsk,
  rated: Rated,
): WorstCost {
  const tokens = mostMeteredTokens(asked, exchange.snapshot.config.limits.image_tokens);
  const { meteredUsd } = entry.model;
  if (isSimulated(entry)) return meteredWorst({ asked, tokens, rates: FREE_CHOICES, metered: undefined });
  return meteredWorst({
    asked,
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

/** What the request may cost beyond its tokens at the model's rates. */
function besideTokens(
  { exchange, permit: { entry }, dialect, request }: CreditQuestion,
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
    hosted: hostedGroups({
      exchange,
      entry,
      servers,
      dialect,
      request,
      extras,
      rates,
      ratesOf,
    }),
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

/** Builds the hold order of one request. */
export function holdOrder({ exchange, principal, mode, now, worst = null }: Ordering): HoldOrder {
  const { account, apiKey, plan, period } = principal;
  const cap = apiKey.monthlyCapUsd;
  return {
    requestId: exchange.requestId,
    accountId: account.id,
    keyId: apiKey.id,
    pays: mode === 'payg' ? 'purchased' : 'monthly',
    period,
    keyCapMicrocredits: cap === null ? null : capOfUsd(cap),
    worst: worst && { least: worst.least, most: worst.most },
    tokensPerDay: mode === 'payg' ? null : plan.tokensPerDay,
    at: now,
  };
}
