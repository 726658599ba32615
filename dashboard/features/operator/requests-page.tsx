import { queryValue } from '../../app/address.ts';
import { Badge } from '../../components/badge.tsx';
import { minor, numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/format.ts';
import { ListPage } from '../../components/list-page.tsx';
import type { Column } from '../../components/table.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { RequestRow } from './rows.ts';

/** The requests of all accounts, with the providers that were called. */
export const RequestsPage = () => (
  <ListPage<RequestRow, List<RequestRow>>
    title="All requests"
    lead="Requests of all accounts, newest first, with the calls to providers."
    path={`${OPERATOR}/requests`}
    filters={filters}
    parameters={{ hours: null, since: chosenStart(), until: queryValue('until'), user: queryValue('user') }}
    pollMs={10_000}
    caption="Requests"
    columns={columns}
    empty={
      <EmptyState title="No matching requests">Records expire after the configured retention.</EmptyState>
    }
  />
);

const statuses = ['2xx', '4xx', '402', '422', '429', '5xx', '503'];

const filters = [
  { param: 'account', label: 'Account', placeholder: 'acct_…' },
  { param: 'key', label: 'Key', placeholder: 'key_…' },
  { param: 'model', label: 'Model' },
  {
    param: 'status',
    label: 'Status',
    options: [{ value: '', label: 'Any' }, ...statuses.map((value) => ({ value, label: value }))],
  },
  {
    param: 'source',
    label: 'Source',
    options: [
      { value: '', label: 'Any' },
      ...['api', 'batch', 'playground'].map((value) => ({ value, label: value })),
    ],
  },
  { param: 'code', label: 'Error code' },
  {
    param: 'hours',
    label: 'Time',
    options: [
      { value: '', label: 'Any time' },
      { value: '1', label: 'Last hour' },
      { value: '24', label: 'Last 24 hours' },
    ],
  },
];

/** The start is a full minute, so that the answer can be kept. */
function chosenStart(): string {
  const hours = Number(queryValue('hours'));
  if (!(hours > 0)) return queryValue('since');
  return new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString();
}

const columns: readonly Column<RequestRow>[] = [
  textColumn('id', 'Request', ({ id }) => (
    <a href={`/operator/requests/${id}`}>
      <code class="unbroken">{id.slice(0, 14)}…</code>
    </a>
  )),
  textColumn('status', 'Status', ({ status, error }) => (
    <Badge tone={!status || status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good'}>
      {status ?? 'left'}
      {error && ` ${error.code}`}
    </Badge>
  )),
  textColumn('account', 'Account', ({ account_id }) => (
    <a href={`/operator/accounts/${account_id}`} class="unbroken">
      {account_id.slice(0, 12)}…
    </a>
  )),
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
