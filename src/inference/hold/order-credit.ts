import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { CreditOrder } from '../cost/credit-order.ts';
import { modeRates } from '../cost/mode-rates.ts';
import type { WorstCost } from '../cost/worst-cost.ts';
import type { Inference } from '../request/inference.ts';
import type { Step } from '../request/step.ts';
import { holdOrder } from './hold-order.ts';
import { worstOf } from './worst-of.ts';

/** Computes what the request may cost, and the order to hold it. */
export const orderCredit: Step = (inference) =>
  andThen(creditOrder(inference, inference.services.clock.now()), (credit) => {
    inference.credit = credit;
    return undefined;
  });

/**
 * Builds the order that checks the credit and the key's cap, and holds the most that the request may cost
 * where required.
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
  return isHeld ? andThen(worstOf(inference, { rates, rating }), ordered) : ordered(null);
}
