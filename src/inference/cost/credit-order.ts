import type { HoldOrder } from '../../money/ledger/hold.ts';
import type { RatesInRows } from '../../money/ledger/rate-row.ts';
import type { RateQuestion } from './rate-question.ts';
import type { WorstCost } from './worst-cost.ts';

/** The highest cost of a request, and the order to hold it. */
export type CreditOrder = {
  order: HoldOrder;
  /** The facts that selected the rates. */
  rating: RateQuestion;
  rates: RatesInRows;
  /** The most that the request may cost. `null` means that no amount is held. */
  worst: WorstCost | null;
};
