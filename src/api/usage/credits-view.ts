import type { AccountBalances } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';

/** What a period has and what is left of it. Requests in flight may end a little over the limit, so that is never shown below zero. */
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
