import type { Query } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { HealthStatus } from './health-status.tsx';
import type { ListOf } from './operator-api.ts';
import type { AlertRow } from './rows.ts';

const columns: readonly Column<AlertRow>[] = [
  textColumn('event', 'Event', ({ event }) => <code>{event}</code>),
  textColumn('message', 'Message', ({ message }) => message),
  timeColumn('at', 'Time', ({ created_at }) => created_at),
  textColumn('deliveries', 'Webhooks', ({ deliveries }) =>
    deliveries.length === 0
      ? 'none'
      : deliveries.map(({ webhook_id: webhook, host, state, error }) => (
          <p key={webhook}>
            {host} <HealthStatus state={state} /> {error}
          </p>
        )),
  ),
];

/** Alerts, newest first. */
export const AlertTable = ({ query }: { query: Query<ListOf<AlertRow>> }) => (
  <Loaded query={query} skeleton={<Skeleton lines={3} />}>
    {({ data }) => (
      <Table
        caption="Alerts"
        columns={columns}
        rows={data}
        empty={
          <EmptyState title="No alerts">
            An alert reports a failing provider, credits that run out, or a fault of the ledger.
          </EmptyState>
        }
      />
    )}
  </Loaded>
);
