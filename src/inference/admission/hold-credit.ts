import { after, type MaybeLater } from '../../base/lib/after.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Hold, HoldOrder } from '../../money/ledger/hold.ts';
import { capOfUsd } from '../../money/ledger/microcredits.ts';
import { type Rates, ratesOf } from '../../money/ledger/rates.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { AskedExtras } from '../../translation/protocols/inference-request.ts';
import type { Permit } from './admit.ts';
import { findAdvisor } from './advisors.ts';
import { leastOutputOf } from './least-output.ts';
import { isBatchRate, type RateQuestion } from './rate-question.ts';
import { type CostedRequest, type WorstCost, worstCost } from './worst-cost.ts';
import { worstExtras } from './worst-extras.ts';

export type CreditQuestion = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  /** The protocol's rules for the length of answers. */
  dialect: { ceilings?: readonly string[]; unaskedOutput?: number };
  request: Omit<CostedRequest, 'entry' | 'rates' | 'input' | 'ceilings' | 'unaskedOutput' | 'leastOutput'> & {
    extras?: AskedExtras;
  };
  prompt: BoundedPrompt;
  /** The request is sent in a provider's own batch. */
  isNative: boolean;
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

export type OutputAllowance = {
  /** The most tokens of each answer. */
  output: number;
  /** The request sets no ceiling, so the gateway must send this one. */
  isOpen: boolean;
  /** Returns the output allowance for a prompt of `input` tokens. The result is negative if the prompt alone costs more. */
  beside(input: number): number;
};

/** The rates of simulated answers. */
const FREE: Rates = { input: 0, cachedInput: 0, output: 0 };

export function modeRates(entry: CatalogEntry, rating: RateQuestion): Rates {
  if (isSimulated(entry)) return FREE;
  const { pricing, paygPricing, nativeBatchPricing } = entry.model;
  const own = rating.mode === 'payg' ? paygPricing : isBatchRate(rating) ? nativeBatchPricing : null;
  return ratesOf(own ?? pricing);
}

/** Returns the longest answer that the hold covers. */
export function allowanceOf(
  { output, isOpen, most, ceilingFor }: WorstCost,
  { microcredits }: Hold,
): OutputAllowance {
  return {
    output: microcredits >= most ? output : Math.min(output, ceilingFor(microcredits)),
    isOpen,
    beside: (input) => ceilingFor(microcredits, input),
  };
}

export type CreditOrder = { order: HoldOrder; rates: Rates; worst: WorstCost | null };

/** Builds the order that checks the credit and the key's cap, and holds the most that the request may cost where required. */
export function creditOrder(question: CreditQuestion, now: number): MaybeLater<CreditOrder> {
  const { exchange, principal, permit, isNative } = question;
  const { entry, mode } = permit;
  const rates = modeRates(entry, { mode, isNative });
  const isHeld = mode === 'payg' || principal.apiKey.monthlyCapUsd !== null;
  const ordered = (worst: WorstCost | null): CreditOrder => ({
    order: holdOrder({ exchange, principal, mode, now, worst }),
    rates,
    worst,
  });
  return isHeld ? after(worstOf(question, rates), ordered) : ordered(null);
}

/** Computes the most that the request may cost at these rates. A model without targets of its own is priced by its substitutes. */
export function worstOf(question: CreditQuestion, rates: Rates): MaybeLater<WorstCost> {
  const { permit, dialect, request, prompt, isNative } = question;
  const { entry, substitutes, mode } = permit;
  const { ceilings = [], unaskedOutput } = dialect;
  const leastOutput = leastOutputOf(entry);
  const { extras: asked, body } = request;
  const rating = { mode, isNative };
  const extras = isSimulated(entry)
    ? undefined
    : worstExtras({
        model: entry.model,
        rating,
        rates,
        body,
        asked,
        dearness: (name) => dearnessOf(name, question, rates),
      });
  return after(prompt.bound(entry.targets.length > 0 ? [entry] : substitutes()), (input) =>
    worstCost({ ...request, entry, rates, input, ceilings, unaskedOutput, leastOutput, worstExtras: extras }),
  );
}

/** How much dearer than the asked model an advisor is, by the rate that differs most. */
function dearnessOf(name: string | undefined, { exchange, permit, isNative }: CreditQuestion, rates: Rates) {
  const advisor = findAdvisor(name, exchange.snapshot.catalog);
  if (advisor === undefined) return 1;
  const own = modeRates(advisor, { mode: permit.mode, isNative });
  const ratios = (['input', 'output'] as const).map((of) => own[of] / Math.max(1, rates[of]));
  return Math.max(1, ...ratios);
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
