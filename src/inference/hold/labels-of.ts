import type { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { SpendLabels } from '../../money/budgets/spend-labels.ts';

const NONE: readonly string[] = [];

/**
 * Returns the labels for which budgets count a request apart from its key, or undefined if there are none.
 */
export function labelsOf(
  { endUser, tags }: Pick<ExchangeNotes, 'endUser' | 'tags'>,
  { personId }: Pick<ApiKey, 'personId'>,
): SpendLabels | undefined {
  if (!endUser && !tags && personId === null) return undefined;
  return { personId, endUser: endUser ?? null, tags: tags ?? NONE };
}
