import type { Exchange } from '../../edge/http/exchange.ts';

/** What the answer of a charged request cost the operator, in micro-credits: the price of the model that answered. */
export function spendOf({ notes }: Pick<Exchange, 'notes' | 'snapshot'>): number {
  return notes.servedCostMicrocredits ?? notes.costMicrocredits ?? 0;
}
