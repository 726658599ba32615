import { isoTime } from '../../base/lib/iso-time.ts';
import type { AccountBalances } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { Period } from '../../money/ledger/period.ts';

/**
 * Shows the credits of a period. Requests in flight can exceed the limit, so the remainder is shown as at
 * least 0. `resets_at` is the next grant of a cycle that is not paid.
 */
export function creditsView(
  { limitMicrocredits, daily }: Period,
  { usedMicrocredits, grantedMicrocredits }: AccountBalances,
) {
  const used = creditsOf(usedMicrocredits);
  if (limitMicrocredits === null) return { limit: null, used, remaining: null };
  const total = limitMicrocredits + grantedMicrocredits;
  const remaining = creditsOf(Math.max(0, total - usedMicrocredits));
  const next = daily?.nextAt ?? null;
  return {
    limit: creditsOf(total),
    used,
    remaining,
    ...(next !== null && { resets_at: isoTime(next) }),
  };
}
