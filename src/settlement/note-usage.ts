import { inputTotal, outputTotal, type Usage } from '../canonical/usage.ts';
import type { Exchange } from '../http/exchange.ts';

/** Writes the counts where the log line and the metrics read them. */
export function noteUsage({ notes }: Exchange, usage: Usage): void {
  notes.inputTokens = inputTotal(usage);
  notes.outputTokens = outputTotal(usage);
  if (usage.isEstimated) notes.usageEstimated = true;
}
