import type { AccountBalances } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';

/** The credits of a period. Requests in flight can exceed the limit, so the remainder is shown as at least 0. */
export function creditsView(
  limitMicrocredits: number | null,
  { usedMicrocredits, grantedMicrocredits }: AccountBalances,
) {
  const used = creditsOf(usedMicrocredits);
  if (limitMicrocredits === null) return { limit: null, used, remaining: null };
  const given = limitMicrocredits + grantedMicrocredits;
  const remaining = creditsOf(Math.max(0, given - usedMicrocredits));
  return { limit: creditsOf(given), used, remaining };
}
