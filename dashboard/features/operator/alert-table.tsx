import { EmptyState } from '../../components/empty-state.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { HealthStatus } from './health-status.tsx';
import type { AlertRow } from './rows.ts';

const columns: readonly Column<AlertRow>[] = [
  { key: 'event', header: 'Event', cell: ({ event }) => <code>{event}</code> },
  { key: 'message', header: 'Message', cell: ({ message }) => message },
  { key: 'at', header: 'Time', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
  {
    key: 'deliveries',
    header: 'Webhooks',
    cell: ({ deliveries }) =>
      deliveries.length === 0
        ? 'none'
        : deliveries.map(({ host, state, error }) => (
            <p key={host}>
              {host} <HealthStatus state={state} /> {error}
            </p>
          )),
  },
];

/** Alerts, newest first. */
export const AlertTable = ({ alerts }: { alerts: readonly AlertRow[] | undefined }) => (
  <Table
    caption="Alerts"
    columns={columns}
    rows={alerts}
    rowKey={({ id }) => id}
    expectedRows={3}
    empty={
      <EmptyState title="No alerts">
        An alert reports a failing provider, credits that run out, or a fault of the ledger.
      </EmptyState>
    }
  />
);
