import { queryValue, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Badge } from '../../components/badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { formatDuration } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Pagination } from '../../components/pagination.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { RequestRow } from './rows.ts';

const statuses = ['2xx', '4xx', '402', '422', '429', '5xx', '503'];

/** The requests of all accounts, with the providers that were called. */
export function RequestsPage() {
  const names = ['account', 'key', 'model', 'status', 'code', 'user', 'since', 'after'];
  const parameters = {
    ...Object.fromEntries(names.map((name) => [name, queryValue(name)])),
    ...chosenSpan(),
  };
  const list = useQuery<List<RequestRow>>(withParameters(`${OPERATOR}/requests`, parameters), {
    pollMs: 10_000,
  });
  return (
    <>
      <PageHeader
        title="All requests"
        lead="Requests of all accounts, newest first, with the calls to providers."
      />
      <Filters>
        <TextFilter param="account" label="Account" placeholder="acct_…" />
        <TextFilter param="key" label="Key" placeholder="key_…" />
        <TextFilter param="model" label="Model" />
        <ChoiceFilter
          param="status"
          label="Status"
          options={[{ value: '', label: 'Any' }, ...statuses.map((value) => ({ value, label: value }))]}
        />
        <TextFilter param="code" label="Error code" />
        <ChoiceFilter param="hours" label="Time" options={spans} />
      </Filters>
      <Loaded query={list}>
        {({ data, has_more }) => (
          <>
            <Table
              caption="Requests"
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              empty={
                <EmptyState title="No matching requests">
                  Records expire after the configured retention.
                </EmptyState>
              }
            />
            <Pagination next={has_more ? data.at(-1)?.id : null} />
          </>
        )}
      </Loaded>
    </>
  );
}

const spans = [
  { value: '', label: 'Any time' },
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
];

/** The start is a full minute, so that the answer can be kept. */
function chosenSpan(): { since?: string } {
  const hours = Number(queryValue('hours'));
  if (!(hours > 0)) return {};
  return { since: new Date(Math.floor(Date.now() / 60_000) * 60_000 - hours * 3_600_000).toISOString() };
}

const columns: readonly Column<RequestRow>[] = [
  {
    key: 'id',
    header: 'Request',
    cell: ({ id }) => (
      <a href={`/operator/requests/${id}`}>
        <code class="unbroken">{id.slice(0, 14)}…</code>
      </a>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, error }) => (
      <Badge tone={!status || status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good'}>
        {status ?? 'left'}
        {error && ` ${error.code}`}
      </Badge>
    ),
  },
  {
    key: 'account',
    header: 'Account',
    cell: ({ account_id }) => (
      <a href={`/operator/accounts/${account_id}`} class="unbroken">
        {account_id.slice(0, 12)}…
      </a>
    ),
  },
  { key: 'model', header: 'Model', cell: ({ served_model, model }) => served_model ?? model ?? '–' },
  {
    key: 'provider',
    header: 'Provider',
    cell: ({ provider, attempts }) => (
      <>
        {provider ?? '–'}
        {attempts.length > 1 && ` (${attempts.length} calls)`}
      </>
    ),
  },
  {
    key: 'duration',
    header: 'Duration',
    isNumber: true,
    cell: ({ duration_ms }) => formatDuration(duration_ms),
  },
  {
    key: 'queue',
    header: 'Queued',
    isNumber: true,
    isMinor: true,
    cell: ({ queue_ms }) => formatDuration(queue_ms),
  },
  { key: 'at', header: 'Time', cell: ({ started_at }) => <Time at={started_at} isRelative /> },
];
