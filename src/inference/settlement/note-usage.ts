import type { Exchange } from '../../edge/http/exchange.ts';
import type { Receipt } from '../../money/ledger/entry.ts';
import { inputTotal, outputTotal, type Usage } from '../../translation/canonical/usage.ts';

/** Records the token counts for the log line and the metrics. */
export function noteUsage({ notes }: Exchange, usage: Usage): void {
  notes.usage = usage;
  notes.inputTokens = inputTotal(usage);
  notes.outputTokens = outputTotal(usage);
  if (usage.isEstimated) notes.usageEstimated = true;
}

/** Records the tokens of other models, and the usage that has no price. */
export function noteCharged(
  { notes }: Exchange,
  { tokens, detail }: Pick<Receipt, 'tokens' | 'detail'>,
  unpriced: readonly string[],
): void {
  if (detail) Object.assign(notes, { inputTokens: tokens.input, outputTokens: tokens.output });
  if (unpriced.length > 0) notes.unpricedUsage = unpriced;
}
