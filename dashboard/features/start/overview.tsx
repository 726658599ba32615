import { NoOrganization } from '../../app/no-organization.tsx';
import { inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { formatCompact, formatCredits, formatDate, formatNumber } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Stat, Stats } from '../../components/stat.tsx';
import { FirstSteps } from './first-steps.tsx';
import {
  creditsOf,
  type OverviewBalance,
  type OverviewKeys,
  type OverviewUsage,
  usagePath,
} from './overview-data.ts';

const POLL_MS = 30_000;

/** The start page of signed-in people: what is left, what was used, and the first steps until there is a first request. */
export function Overview() {
  if (!organization.value) return <NoOrganization />;
  return <OrganizationOverview />;
}

function OrganizationOverview() {
  const balance = useQuery<OverviewBalance>(inOrganization('/usage/balance'), { pollMs: POLL_MS });
  const usage = useQuery<OverviewUsage>(inOrganization(usagePath()), { pollMs: POLL_MS });
  const keys = useQuery<OverviewKeys>(inOrganization('/keys'), { pollMs: POLL_MS });
  const problem = balance.problem ?? usage.problem ?? keys.problem;
  const refresh = () => Promise.all([balance.refresh(), usage.refresh(), keys.refresh()]);
  return (
    <>
      <PageHeader
        title="Overview"
        lead={<PlanLine balance={balance.data} />}
        actions={<LinkButton href="/playground">Open the playground</LinkButton>}
      />
      {problem && !usage.data ? (
        <ErrorState problem={problem} onRetry={refresh} />
      ) : (
        <Figures balance={balance.data} usage={usage.data} keys={keys.data} />
      )}
      {usage.data && keys.data && (
        <FirstSteps hasKey={keys.data.counts.active > 0} requests={requestsIn(usage.data)} />
      )}
    </>
  );
}

const requestsIn = ({ totals, previous }: OverviewUsage): number =>
  totals.requests + totals.errors + previous.requests + previous.errors;

const PlanLine = ({ balance }: { balance: OverviewBalance | undefined }) => (
  <>
    {organization.value!.name}
    {balance && ` · Plan ${balance.plan_name}`}
    {balance?.cycle_ends_at && ` · Credits reset on ${formatDate(balance.cycle_ends_at)}`}
  </>
);

type FiguresProps = {
  balance: OverviewBalance | undefined;
  usage: OverviewUsage | undefined;
  keys: OverviewKeys | undefined;
};

/** The last 24 hours beside what is left. */
function Figures({ balance, usage, keys }: FiguresProps) {
  return (
    <Stats>
      <Stat
        href="/usage"
        label="Credits left"
        value={
          balance &&
          (balance.credits.remaining === null ? 'Unlimited' : formatCredits(balance.credits.remaining))
        }
        note={balance && <CreditsNote balance={balance} />}
      />
      <Stat
        href="/usage?range=24h"
        label="Spent in 24 hours"
        value={usage && formatCredits(creditsOf(usage.totals.microcredits))}
        note="credits"
        values={usage?.series.microcredits ?? []}
      />
      <Stat
        href="/requests"
        label="Requests in 24 hours"
        value={usage && formatNumber(usage.totals.requests)}
        note={usage && `${formatCompact(tokensIn(usage))} tokens`}
        values={usage?.series.requests ?? []}
      />
      <Stat
        href="/requests?status=failed"
        label="Errors in 24 hours"
        value={usage && formatNumber(usage.totals.errors)}
        note={usage && errorNote(usage)}
        values={usage?.series.errors ?? []}
      />
      <Stat
        href="/keys"
        label="Active keys"
        value={keys && formatNumber(keys.counts.active)}
        note={keys && endedNote(keys)}
      />
    </Stats>
  );
}

const CreditsNote = ({
  balance: { credits, purchased_credits: purchased },
}: {
  balance: OverviewBalance;
}) => (
  <>
    {credits.limit !== null && `of ${formatCredits(credits.limit)}`}
    {purchased > 0 && ` · ${formatCredits(purchased)} purchased`}
  </>
);

const tokensIn = ({ totals }: OverviewUsage): number =>
  totals.uncached_input_tokens + totals.cached_input_tokens + totals.output_tokens;

const errorNote = ({ codes }: OverviewUsage): string => (codes[0] ? `mostly ${codes[0].code}` : 'none');

const endedNote = ({ counts }: OverviewKeys): string =>
  counts.ended > 0 ? `${formatNumber(counts.ended)} ended` : 'in this organization';
