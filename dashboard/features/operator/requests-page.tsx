import { queryValue } from '../../app/address.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { filterOptions } from '../../components/filter-options.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { ListPage } from '../../components/list-page.tsx';
import { chosenSpan, TimeFilter } from '../../components/time-filter.tsx';
import { AccountFilter } from './account-filter.tsx';
import { AccountName } from './known-names.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import { requestSources } from './request-sources.ts';
import type { RequestRow } from './rows.ts';

const statusFilters = ['2xx', '4xx', '402', '422', '429', '5xx', '503'];

/** The requests of all accounts, with the providers that were called. */
export const RequestsPage = () => (
  <ListPage<RequestRow, ListOf<RequestRow>>
    title="All requests"
    lead="Requests of all accounts, newest first, with the calls to providers."
    path={`${OPERATOR}/requests`}
    filters={filters}
    parameters={{ hours: null, ...chosenSpan(), user: queryValue('user') }}
    pollMs={10_000}
    follows="requests"
    caption="Requests"
    columns={columns}
    empty={
      <EmptyState title="No matching requests">
        No request that is kept matches. Records expire after <code>retention.requests_s</code>.
      </EmptyState>
    }
  />
);

const filters = [
  { param: 'account', control: <AccountFilter /> },
  { param: 'key', label: 'Key', placeholder: 'key_…' },
  { param: 'model', label: 'Model' },
  { param: 'status', label: 'Status', options: filterOptions(statusFilters) },
  { param: 'source', label: 'Source', options: filterOptions(requestSources) },
  { param: 'code', label: 'Error code' },
  { param: 'hours', control: <TimeFilter /> },
];

function toneOf(status: RequestRow['status']): Tone {
  if (!status || status >= 500) return 'bad';
  return status >= 400 ? 'warning' : 'good';
}

const columns: readonly Column<RequestRow>[] = [
  textColumn('id', 'Request', ({ id }) => (
    <a href={`/operator/requests/${id}`}>
      <code class="unbroken">{id.slice(0, 14)}…</code>
    </a>
  )),
  textColumn('status', 'Status', ({ status, error }) => (
    <Badge tone={toneOf(status)}>
      {status ?? 'left'}
      {error && ` ${error.code}`}
    </Badge>
  )),
  textColumn('account', 'Account', ({ account_id }) => <AccountName id={account_id} />),
  textColumn('model', 'Model', ({ served_model, model }) => served_model ?? model ?? '–'),
  textColumn('provider', 'Provider', ({ provider, attempts }) => (
    <>
      {provider ?? '–'}
      {attempts.length > 1 && ` (${attempts.length} calls)`}
    </>
  )),
  minor(textColumn('source', 'Source', ({ source }) => source)),
  numberColumn('duration', 'Duration', ({ duration_ms }) => formatDuration(duration_ms)),
  minor(numberColumn('queue', 'Queued', ({ queue_ms }) => formatDuration(queue_ms))),
  timeColumn('at', 'Time', ({ started_at }) => started_at),
];
