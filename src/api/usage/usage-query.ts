import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { parseTimeParameter } from '../../base/lib/iso-time.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { UsageQuestion } from '../../money/ledger/ledger-store.ts';
import { usageGroupings } from './usage-view.ts';

/**
 * Reads `?from&to&by` of a usage query. `from` defaults to `since`. Sums are kept by the hour, so only whole
 * hours count.
 */
export function usageQuery(
  query: string,
  { accountId, now, since }: { accountId: string; now: number; since: number },
): UsageQuestion | Refusal {
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get('by') ?? 'day';
  const by = usageGroupings.find((grouping) => grouping === wanted);
  if (by === undefined) return invalidParam('by', "must be 'model', 'key' or 'day'.");
  const from = timeIn(parameters.get('from'), since);
  if (from === undefined) return invalidParam('from', 'must be an ISO 8601 time.');
  const to = timeIn(parameters.get('to'), now + HOUR_MS);
  if (to === undefined) return invalidParam('to', 'must be an ISO 8601 time.');
  return { accountId, by, from, to };
}

const timeIn = (text: string | null, otherwise: number): number | undefined =>
  text === null ? otherwise : parseTimeParameter(text);
