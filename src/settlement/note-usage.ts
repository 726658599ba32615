import { inputTotal, outputTotal } from '../canonical/usage.ts';
import type { Settle } from './charge.ts';

/** Writes the counts where the log line and the metrics read them. */
export const noteUsage: Settle = ({ exchange, usage }) => {
  if (!usage) return;
  exchange.notes.inputTokens = inputTotal(usage);
  exchange.notes.outputTokens = outputTotal(usage);
  if (usage.isEstimated) exchange.notes.usageEstimated = true;
};
