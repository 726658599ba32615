import type { KeyList } from '../../../src/console/dashboard/key-schema.ts';
import type { UsageBalance } from '../../../src/console/dashboard/usage-balance.ts';
import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { formatCompact, formatCredits, formatNumber } from '../../components/format.ts';
import { formatMicrocredits, formatMicrocreditsInUsd } from '../../components/microcredits.ts';
import { Stat, Stats } from '../../components/stat.tsx';
import { tokensIn } from './overview-data.ts';

type OverviewFiguresProps = {
  balance: UsageBalance | undefined;
  usage: UsageReport | undefined;
  keys: KeyList | undefined;
};

/** The last 24 hours next to what is left. */
export const OverviewFigures = ({ balance, usage, keys }: OverviewFiguresProps) => (
  <Stats>
    <Stat
      href="/usage"
      label="Credits left"
      value={balance && creditsLeft(balance)}
      note={balance ? creditsNote(balance) : ' '}
    />
    <Stat
      href="/usage?range=24h"
      label="Spent in 24 hours"
      value={usage && formatMicrocreditsInUsd(usage.totals.microcredits)}
      note={usage ? `${formatMicrocredits(usage.totals.microcredits)} credits` : ' '}
      values={usage?.series.microcredits ?? []}
    />
    <Stat
      href="/requests?hours=24"
      label="Requests in 24 hours"
      value={usage && formatNumber(usage.totals.requests)}
      note={usage ? `${formatCompact(tokensIn(usage))} tokens` : ' '}
      values={usage?.series.requests ?? []}
    />
    <Stat
      href="/requests?status=failed&hours=24"
      label="Errors in 24 hours"
      value={usage && formatNumber(usage.totals.errors)}
      note={usage ? errorNote(usage) : ' '}
      values={usage?.series.errors ?? []}
    />
    <Stat
      href="/keys"
      label="Active keys"
      value={keys && formatNumber(keys.counts.active)}
      note={keys ? endedNote(keys) : ' '}
    />
  </Stats>
);

const creditsLeft = ({ credits: { remaining } }: UsageBalance): string =>
  remaining === null ? 'Unlimited' : formatCredits(remaining);

const creditsNote = ({ credits, purchased_credits: purchased }: UsageBalance): string =>
  [
    credits.limit !== null && `of ${formatCredits(credits.limit)}`,
    purchased > 0 && `${formatCredits(purchased)} purchased`,
  ]
    .filter(Boolean)
    .join(' · ') || ' ';

const errorNote = ({ codes }: UsageReport): string =>
  codes[0] ? `mostly ${codes[0].code.replaceAll('_', '_\u200b')}` : 'none';

const endedNote = ({ counts }: KeyList): string =>
  counts.ended > 0 ? `${formatNumber(counts.ended)} ended` : 'in this organization';
