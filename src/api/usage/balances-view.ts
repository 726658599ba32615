import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { Period } from '../../money/ledger/period.ts';
import { nextDayAt } from '../../money/ledger/token-day.ts';
import { usedPercent } from '../../money/ledger/used-percent.ts';
import { creditsView } from './credits-view.ts';

type BalancesQuestion = {
  accountId: string;
  period: Period;
  /** `null` means that the plan does not limit tokens by the day. */
  tokensPerDay: number | null;
  now: number;
};

type BalanceLedger = Pick<LedgerStore, 'balances' | 'tokensOn'>;

/** Reads the balances of an account, and shows them with the times of its cycle. */
export async function balancesView(
  ledger: BalanceLedger,
  { accountId, period, tokensPerDay, now }: BalancesQuestion,
) {
  const balances = await ledger.balances(accountId, period);
  const { limitMicrocredits: limit, endsAt } = period;
  const total = limit === null ? null : limit + balances.grantedMicrocredits;
  return {
    cycle_started_at: endsAt === null ? null : isoTime(period.startedAt),
    cycle_ends_at: isoTimeOrNull(endsAt),
    credits: {
      ...creditsView(period, balances),
      used_percent: usedPercent(balances.usedMicrocredits, total),
    },
    purchased_credits: creditsOf(balances.purchasedMicrocredits),
    debt_credits: creditsOf(balances.debtMicrocredits),
    tokens_today:
      tokensPerDay === null ? null : tokensView(tokensPerDay, await ledger.tokensOn(accountId, now), now),
  };
}

const tokensView = (limit: number, used: number, now: number) => ({
  limit,
  used,
  remaining: Math.max(0, limit - used),
  resets_at: isoTime(nextDayAt(now)),
});
