import type { KeyList } from '../../../src/console/dashboard/key-schema.ts';
import type { RequestPageView } from '../../../src/console/dashboard/request-schema.ts';
import type { UsageBalance } from '../../../src/console/dashboard/usage-balance.ts';
import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { NoOrganization } from '../../app/no-organization.tsx';
import { hasRole, inOrganization, mayOperate, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { formatDate } from '../../components/format-time.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LatestRequests } from './latest-requests.tsx';
import { OperatorSteps, type Setup } from './operator-steps.tsx';
import { usagePath } from './overview-data.ts';
import { OverviewFigures } from './overview-figures.tsx';

const POLL_MS = 30_000;
const SETUP_POLL_MS = 5_000;

/**
 * The start page of signed-in people: what is left, what was used, and the first steps until there is a first
 * request.
 */
export const Overview = () => (organization.value ? <OrganizationOverview /> : <NoOrganization />);

function OrganizationOverview() {
  const account = organization.value!.id;
  const figures = { pollMs: POLL_MS, follows: 'figures', account } as const;
  const balance = useQuery<UsageBalance>(inOrganization('/usage/balance'), figures);
  const usage = useQuery<UsageReport>(inOrganization(usagePath()), { ...figures, hasMovingSpan: true });
  const keys = useQuery<KeyList>(inOrganization('/keys'), { pollMs: POLL_MS });
  const requests = useQuery<RequestPageView>(inOrganization('/requests?limit=8'), {
    ...figures,
    follows: 'requests',
  });
  const setup = useQuery<Setup>(mayOperate.value ? '/operator/setup' : null, {
    pollMs: SETUP_POLL_MS,
    follows: 'requests',
    account,
  });
  const queries = [balance, usage, keys, requests];
  const failed = queries.find(({ problem, data }) => problem && data === undefined);
  // Records and figures end after a while. A key that was used once is no longer new.
  const isUsed = keys.data?.data.some(({ last_used_at }) => last_used_at !== null);
  const isNew = !isUsed && requests.data?.data.length === 0 && usage.data?.totals.requests === 0;
  return (
    <>
      <PageHeader
        title="Overview"
        lead={<PlanLine balance={balance.data} />}
        actions={hasRole('developer') && <LinkButton href="/playground">Open the playground</LinkButton>}
      />
      {failed ? (
        <ErrorState
          problem={failed.problem!}
          onRetry={() => Promise.all(queries.map(({ refresh }) => refresh()))}
        />
      ) : (
        <>
          <OverviewFigures balance={balance.data} usage={usage.data} keys={keys.data} />
          {keys.data && <Steps hasKey={keys.data.counts.active > 0} setup={setup.data} isNew={isNew} />}
          {!isNew && <LatestRequests requests={requests.data?.data} />}
        </>
      )}
    </>
  );
}

type StepsProps = { hasKey: boolean; setup: Setup | undefined; isNew: boolean };

/** The first steps of an installation, or else the first steps of a new organization. */
function Steps({ hasKey, setup, isNew }: StepsProps) {
  if (setup?.first_answer_at === null) return <OperatorSteps hasKey={hasKey} setup={setup} />;
  return isNew ? <FirstSteps hasKey={hasKey} /> : null;
}

const PlanLine = ({ balance }: { balance: UsageBalance | undefined }) => (
  <>
    {organization.value!.name}
    {balance && ` · Plan ${balance.plan_name}`}
    {balance?.cycle_ends_at && ` · Credits reset on ${formatDate(balance.cycle_ends_at)}`}
  </>
);
