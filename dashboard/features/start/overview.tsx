import type { KeyList } from '../../../src/console/dashboard/key-schema.ts';
import type { RequestPageView } from '../../../src/console/dashboard/request-schema.ts';
import type { UsageBalance, UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { NoOrganization } from '../../app/no-organization.tsx';
import { hasRole, inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { formatDate } from '../../components/format.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LatestRequests } from './latest-requests.tsx';
import { usagePath } from './overview-data.ts';
import { OverviewFigures } from './overview-figures.tsx';

const POLL = { pollMs: 30_000 };

/** The start page of signed-in people: what is left, what was used, and the first steps until there is a first request. */
export const Overview = () => (organization.value ? <OrganizationOverview /> : <NoOrganization />);

function OrganizationOverview() {
  const balance = useQuery<UsageBalance>(inOrganization('/usage/balance'), POLL);
  const usage = useQuery<UsageReport>(inOrganization(usagePath()), POLL);
  const keys = useQuery<KeyList>(inOrganization('/keys'), POLL);
  const requests = useQuery<RequestPageView>(inOrganization('/requests?limit=8'), POLL);
  const queries = [balance, usage, keys, requests];
  const failed = queries.find(({ problem, data }) => problem && data === undefined);
  const isNew = requests.data?.data.length === 0 && usage.data?.totals.requests === 0;
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
          {isNew && keys.data ? (
            <FirstSteps hasKey={keys.data.counts.active > 0} />
          ) : (
            <LatestRequests requests={requests.data?.data} />
          )}
        </>
      )}
    </>
  );
}

const PlanLine = ({ balance }: { balance: UsageBalance | undefined }) => (
  <>
    {organization.value!.name}
    {balance && ` · Plan ${balance.plan_name}`}
    {balance?.cycle_ends_at && ` · Credits reset on ${formatDate(balance.cycle_ends_at)}`}
  </>
);
