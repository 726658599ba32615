import type { Principal } from '../auth/principal.ts';
import type { Model } from '../catalog/model.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { calendarMonth } from '../ledger/calendar-month.ts';
import type { Hold, HoldOrder, Shortage } from '../ledger/hold.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { microcreditsOfUsd } from '../ledger/microcredits.ts';
import { type Rates, ratesOf } from '../ledger/rates.ts';
import type { Permit } from './admit.ts';
import type { PaymentMode } from './payment-mode.ts';
import { refuseShortage } from './refuse-shortage.ts';
import { type CostedRequest, type WorstCost, worstCost } from './worst-cost.ts';

export type CreditQuestion = {
  exchange: Exchange;
  principal: Principal;
  permit: Permit;
  request: Omit<CostedRequest, 'entry' | 'rates'>;
  ledger: Pick<LedgerStore, 'hold'>;
  now: number;
  /** It goes through a provider's own batches. */
  isNative?: boolean | undefined;
};

export type Ordering = Pick<CreditQuestion, 'exchange' | 'principal' | 'now'> & { mode: PaymentMode };

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
export function holdCredit(question: CreditQuestion): Covered | Refusal | Promise<Covered | Refusal> {
  const { ledger } = question;
  const { order, rates, worst } = creditOrder(question);
  const answered = (held: Hold | Shortage): Covered | Refusal => {
    if ('shortage' in held) return refuseShortage({ ...question, order, shortage: held });
    if (worst === null || held.microcredits >= worst.most) return { hold: held, rates };
    return { hold: held, rates, outputCeiling: worst.ceilingFor(held.microcredits) };
  };
  const held = ledger.hold(order);
  return held instanceof Promise ? held.then(answered) : answered(held);
}

/** What the ledger is asked for the request. */
export function creditOrder(question: Omit<CreditQuestion, 'ledger'>): {
  order: HoldOrder;
  rates: Rates;
  worst: WorstCost | null;
} {
  const { permit, request } = question;
  const order = holdOrder({ ...question, mode: permit.mode });
  const rates = modeRates(permit.entry.model, { mode: permit.mode, isNative: question.isNative });
  const isHeld = order.pays === 'purchased' || order.keyCapMicrocredits !== null;
  const worst = isHeld ? worstCost({ ...request, entry: permit.entry, rates }) : null;
  return { order: { ...order, worst: worst && { least: worst.least, most: worst.most } }, rates, worst };
}

/** What a request asks of the ledger, before it is known what it may cost. */
export function holdOrder({ exchange, principal, mode, now }: Ordering): HoldOrder {
  const { account, apiKey, plan, period } = principal;
  const cap = apiKey.monthlyCapUsd;
  return {
    requestId: exchange.requestId,
    accountId: account.id,
    keyId: apiKey.id,
    pays: mode === 'payg' ? 'purchased' : 'monthly',
    period,
    month: calendarMonth(now),
    keyCapMicrocredits: cap === null ? null : microcreditsOfUsd(cap),
    worst: null,
    tokensPerDay: mode === 'payg' ? null : plan.tokensPerDay,
    at: now,
  };
}
