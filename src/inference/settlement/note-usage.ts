import type { Exchange } from '../../edge/http/exchange.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** Writes the counts where the log line and the metrics read them. */
export function noteUsage({ notes }: Exchange, usage: Usage): void {
  notes.inputTokens = inputTotal(usage);
  notes.outputTokens = outputTotal(usage);
  if (usage.isEstimated) notes.usageEstimated = true;
}
