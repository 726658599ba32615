import type { Exchange } from '../../edge/http/exchange.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** Records the token counts for the log line and the metrics. */
export function noteUsage({ notes }: Exchange, usage: Usage): void {
  notes.usage = usage;
  notes.inputTokens = inputTotal(usage);
  notes.outputTokens = outputTotal(usage);
  if (usage.isEstimated) notes.usageEstimated = true;
}
