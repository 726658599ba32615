import './requests.css';
import { useEffect, useState } from 'preact/hooks';
import type { RequestPageView } from '../../../src/console/dashboard/request-schema.ts';
import type { UsageBalance } from '../../../src/console/dashboard/usage-schema.ts';
import { queryValue, setQuery, withParameters } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { ContentNotice } from '../../components/content-notice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { isSearch, RequestFilters, searched } from './request-filters.tsx';
import { RequestTable } from './request-table.tsx';
import { TrafficSummary } from './traffic-summary.tsx';

const POLL_MS = 2_000;
/** A page that is left open stops to ask after this time. */
const MOST_LIVE_MS = 10 * 60_000;
const LISTED = 50;

/** The requests of the organization, with the reason of each refusal. */
export function RequestsPage() {
  const isLive = useLive();
  const base = inOrganization('/requests');
  const path = base && withParameters(base, { ...searched(), limit: LISTED });
  const requests = useQuery<RequestPageView>(path, { pollMs: isLive ? POLL_MS : undefined });
  const balance = useQuery<UsageBalance>(inOrganization('/usage/balance'));
  return (
    <>
      <PageHeader
        title="Requests"
        lead="A completed request has a cost and a receipt. A refused request has the reason."
        actions={<LiveButton isLive={isLive} />}
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
              {!isLive && <Pagination next={page.has_more ? page.data.at(-1)!.id : null} />}
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Whether the list follows new requests. The address keeps the choice. */
function useLive(): boolean {
  const asked = queryValue('live') === '1';
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    setOver(false);
    if (!asked) return;
    const timer = setTimeout(() => {
      setOver(true);
      setQuery({ live: null });
    }, MOST_LIVE_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return asked && !isOver;
}

const LiveButton = ({ isLive }: { isLive: boolean }) => (
  <>
    {isLive && (
      <span class="live" role="status">
        Live, every 2 seconds
      </span>
    )}
    <Button icon="refresh" onClick={() => setQuery({ live: isLive ? null : 1, after: null })}>
      {isLive ? 'Stop' : 'Watch live'}
    </Button>
  </>
);

function NoRequests({ page }: { page: RequestPageView }) {
  if (page.kept_s === 0)
    return (
      <EmptyState title="No requests are kept">The operator of this server keeps no requests.</EmptyState>
    );
  return (
    <EmptyState
      title={isSearch() ? 'No request matches the search' : 'No requests yet'}
      action={
        isSearch() ? (
          <LinkButton href="/requests">Clear the search</LinkButton>
        ) : (
          <LinkButton href="/keys">Create a key</LinkButton>
        )
      }
    >
      A request appears here a second after it ends. It is kept for {formatDuration(page.kept_s * 1_000)}.
    </EmptyState>
  );
}
