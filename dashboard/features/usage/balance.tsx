import type { UsageBalance } from '../../../src/console/dashboard/usage-balance.ts';
import { formatCredits, formatNumber, formatUsd } from '../../components/format.ts';
import { formatDate, formatRelative } from '../../components/format-time.ts';
import { creditsToUsd } from '../../components/microcredits.ts';
import { Stat, Stats } from '../../components/stat.tsx';

/** Shows the credit that is left, and when it resets. */
export function Balance({ balance }: { balance: UsageBalance | undefined }) {
  if (!balance) {
    return (
      <Stats>
        <Stat label="Plan credits left" value={undefined} note="Loading" />
        <Stat label="Resets" value={undefined} note="Loading" />
        <Stat label="Purchased credit" value={undefined} note="Loading" />
      </Stats>
    );
  }
  const { credits, cycle_ends_at: endsAt, purchased_credits: purchased, tokens_today: tokens } = balance;
  return (
    <Stats>
      <Stat
        label="Plan credits left"
        value={credits.remaining === null ? 'Unlimited' : formatCredits(credits.remaining)}
        note={
          credits.limit === null
            ? `${formatCredits(credits.used)} used`
            : `${credits.used_percent}% of ${formatCredits(credits.limit)} used`
        }
      />
      <Stat
        label="Resets"
        value={endsAt ? formatDate(endsAt) : 'Never'}
        note={
          endsAt ? `${formatRelative(endsAt)}, on the ${balance.plan_name} plan` : `${balance.plan_name} plan`
        }
      />
      <Stat
        label="Purchased credit"
        value={formatUsd(creditsToUsd(purchased))}
        note={
          balance.debt_credits > 0
            ? `A debt of ${formatCredits(balance.debt_credits)} credits`
            : `${formatCredits(purchased)} credits`
        }
        href="/billing"
      />
      {tokens && (
        <Stat
          label="Tokens left today"
          value={formatNumber(tokens.remaining)}
          note={`of ${formatNumber(tokens.limit)}; more ${formatRelative(tokens.resets_at)}`}
        />
      )}
    </Stats>
  );
}
