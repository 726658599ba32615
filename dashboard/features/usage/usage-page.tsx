import type { UsageBalance } from '../../../src/console/dashboard/usage-balance.ts';
import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import { API } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';
import { useKeyNames } from '../../app/use-key-names.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ContentNotice } from '../../components/content-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Balance } from './balance.tsx';
import { ErrorTable } from './error-table.tsx';
import { GroupTable } from './group-table.tsx';
import { Totals } from './totals.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageFilters } from './usage-filters.tsx';
import { usagePath, usageState } from './usage-state.ts';

/** Shows the usage of the organization, and the credit that is left. */
export function UsagePage() {
  const state = usageState();
  const report = useQuery<UsageReport>(usagePath(state), { hasMovingSpan: true });
  const balance = useQuery<UsageBalance>(inOrganization('/usage/balance'));
  const keys = useKeyNames();
  return (
    <>
      <PageHeader
        title="Usage"
        lead="Credits, spend, tokens and errors. Days and hours are in UTC."
        actions={
          <>
            <LinkButton href="/requests" icon="requests">
              Requests
            </LinkButton>
            <LinkButton href={`${API}${usagePath(state, '/csv')}`} icon="download" download>
              Export CSV
            </LinkButton>
          </>
        }
      />
      {balance.data?.content_logging && <ContentNotice />}
      <Balance balance={balance.data} />
      <div class="section">
        <UsageFilters state={state} report={report.data} keys={keys} />
        <Totals report={report.data} />
      </div>
      <Loaded query={report} skeleton={<Skeleton lines={14} />}>
        {(data) => (
          <>
            <UsageChart report={data} state={state} keys={keys} />
            <GroupTable report={data} state={state} keys={keys} />
            <ErrorTable report={data} state={state} />
          </>
        )}
      </Loaded>
    </>
  );
}
