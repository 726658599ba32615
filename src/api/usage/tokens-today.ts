import { isoTime } from '../../base/lib/iso-time.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { nextDayAt } from '../../money/ledger/token-day.ts';

/** Returns the tokens of a plan that limits them by the day. */
export async function tokensToday(
  accountId: string,
  limit: number,
  { ledger, now }: { ledger: Pick<LedgerStore, 'tokensOn'>; now: number },
) {
  const used = await ledger.tokensOn(accountId, now);
  return { limit, used, remaining: Math.max(0, limit - used), resets_at: isoTime(nextDayAt(now)) };
}
