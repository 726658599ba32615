import type { Principal } from '../auth/principal.ts';
import type { Model } from '../catalog/model.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Hold, HoldOrder, Shortage } from '../ledger/hold.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { capOfUsd } from '../ledger/microcredits.ts';
import { type Rates, ratesOf } from '../ledger/rates.ts';
import { after, type MaybeLater } from '../lib/after.ts';
import type { Permit } from './admit.ts';
import type { PaymentMode } from './payment-mode.ts';
import { refuseShortage } from './refuse-shortage.ts';
import { type CostedRequest, type WorstCost, worstCost } from './worst-cost.ts';

export type CreditQuestion = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  /** What its protocol says of the length of answers. */
  dialect: { ceilings?: readonly string[]; unaskedOutput?: number };
  request: Omit<CostedRequest, 'entry' | 'rates' | 'estimateInput' | 'ceilings' | 'unaskedOutput'>;
  estimateInput(): number;
  /** It goes through a provider's own batches. */
  isNative: boolean;
};

export type Ordering = Pick<CreditQuestion, 'exchange' | 'principal'> & {
  now: number;
  mode: PaymentMode;
  /** What the request may cost, where that is held. */
  worst?: WorstCost | null;
};

/** A request that is paid for. `outputCeiling`: what its answer may have, where the request names no bound that the credit covers. */
export type Covered = { hold: Hold; rates: Rates; outputCeiling?: number | undefined };

/** What decides which of a model's rates count. */
export type RateQuestion = { mode: PaymentMode; isNative?: boolean | undefined };

export function modeRates(
  { pricing, paygPricing, nativeBatchPricing }: Model,
  { mode, isNative }: RateQuestion,
): Rates {
  const own = mode === 'payg' ? paygPricing : isNative ? nativeBatchPricing : null;
  return ratesOf(own ?? pricing);
}

/** Whether credit and the key's cap cover the request; as much as it may cost is then set apart, where that has to be. */
export function holdCredit(
  question: CreditQuestion,
  { ledger, now }: { ledger: Pick<LedgerStore, 'hold'>; now: number },
): MaybeLater<Covered | Refusal> {
  const ordered = creditOrder(question, now);
  return after(ledger.hold(ordered.order), (held) => covered(question, ordered, held));
}

function covered(
  { exchange, principal }: CreditQuestion,
  { order, rates, worst }: CreditOrder,
  held: Hold | Shortage,
): Covered | Refusal {
  if ('shortage' in held) return refuseShortage({ exchange, principal, order, shortage: held });
  const isWhole = worst === null || held.microcredits >= worst.most;
  return { hold: held, rates, outputCeiling: isWhole ? undefined : worst.ceilingFor(held.microcredits) };
}

type CreditOrder = { order: HoldOrder; rates: Rates; worst: WorstCost | null };

/** What the ledger is asked for the request. */
export function creditOrder(question: CreditQuestion, now: number): CreditOrder {
  const { exchange, principal, permit, isNative } = question;
  const { entry, mode } = permit;
  const rates = modeRates(entry.model, { mode, isNative });
  const isHeld = mode === 'payg' || principal.apiKey.monthlyCapUsd !== null;
  const worst = isHeld ? worstOf(question, rates) : null;
  return { order: holdOrder({ exchange, principal, mode, now, worst }), rates, worst };
}

/** What it may cost at these rates. */
export function worstOf(question: CreditQuestion, rates: Rates): WorstCost {
  const { permit, dialect, request, estimateInput } = question;
  const { ceilings = [], unaskedOutput } = dialect;
  return worstCost({ ...request, entry: permit.entry, rates, estimateInput, ceilings, unaskedOutput });
}

/** What a request asks of the ledger. */
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
