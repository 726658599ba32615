import './requests.css';
import type { RequestPageView } from '../../../src/console/dashboard/request-schema.ts';
import type { UsageBalance } from '../../../src/console/dashboard/usage-balance.ts';
import { queryValue, withParameters } from '../../app/address.ts';
import { inOrganization, organization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { LinkButton } from '../../components/button.tsx';
import { ContentNotice } from '../../components/content-notice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { LiveStatus } from '../../components/live-status.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { isSearch, RequestFilters, searched } from './request-filters.tsx';
import { RequestTable } from './request-table.tsx';
import { TrafficSummary } from './traffic-summary.tsx';

/** Without events, the page asks this often. */
const POLL_MS = 10_000;
const LISTED = 50;

/** The requests of the organization, with the reason of each refusal. */
export function RequestsPage() {
  const isFirst = queryValue('after') === '';
  const base = inOrganization('/requests');
  const path = base && withParameters(base, { ...searched(), limit: LISTED });
  const requests = useQuery<RequestPageView>(path, {
    hasMovingSpan: true,
    ...(isFirst && { follows: 'requests', account: organization.value?.id, pollMs: POLL_MS }),
  });
  const balance = useQuery<UsageBalance>(inOrganization('/usage/balance'));
  return (
    <>
      <PageHeader
        title="Requests"
        lead="A completed request has a cost and a receipt. A refused request has the reason."
        actions={isFirst && <LiveStatus />}
      />
      {balance.data?.content_logging && <ContentNotice />}
      <RequestFilters />
      <TrafficSummary />
      <Loaded query={requests} skeleton={<Skeleton lines={12} />}>
        {(page) =>
          page.data.length === 0 ? (
            <NoRequests page={page} />
          ) : (
            <>
              <RequestTable requests={page.data} />
              <Pagination next={page.has_more ? page.data.at(-1)!.id : null} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function NoRequests({ page }: { page: RequestPageView }) {
  if (page.kept_s === 0)
    return (
      <EmptyState title="No requests are kept">The operator of this server keeps no requests.</EmptyState>
    );
  const lifetime = formatDuration(page.kept_s * 1_000);
  return (
    <EmptyState
      title={isSearch() ? 'No request matches the search' : `No requests in the last ${lifetime}`}
      action={
        isSearch() ? (
          <LinkButton href="/requests">Clear the search</LinkButton>
        ) : (
          <LinkButton href="/keys">Create a key</LinkButton>
        )
      }
    >
      A request appears here by itself, a second after it ends. It is kept for {lifetime}.
    </EmptyState>
  );
}
