import type { Exchange } from '../../edge/http/exchange.ts';
import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { HoldOrder } from '../../money/ledger/hold.ts';
import { capOfUsd } from '../../money/ledger/microcredits.ts';
import type { WorstCost } from '../cost/worst-cost.ts';
import { labelsOf } from './labels-of.ts';

/** Who asks for a hold, and how the request is paid for. */
export type HeldRequest = {
  exchange: Exchange;
  principal: Principal;
  mode: PaymentMode;
  now: number;
  /** The most that the request may cost, if that amount is held. */
  worst?: WorstCost | null;
};

/** Builds the order that checks a request against the credit, the cap of its key and the budgets. */
export function holdOrder({ exchange, principal, mode, now, worst = null }: HeldRequest): HoldOrder {
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
    labels: labelsOf(exchange.notes, apiKey),
    isBudgeted: account.hasBudgets,
  };
}
