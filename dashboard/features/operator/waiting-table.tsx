import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import type { QueuedRow, Waiting } from './rows.ts';

/** The single requests that wait, the oldest first. */
export const WaitingTable = ({ answer: { data, has_more, total } }: { answer: Waiting }) => (
  <Section
    title="Waiting requests"
    lead={
      has_more
        ? `The oldest ${data.length} of ${formatNumber(total)} requests. Each is refused if it gets no slot in time.`
        : 'Each request is refused if it gets no slot in time.'
    }
  >
    <Table
      caption="Waiting requests, the oldest first"
      columns={columnsFor(data)}
      rows={data}
      rowKey={({ node, id }) => `${node} ${id}`}
      empty={<EmptyState title="The queue is empty">A request is listed here while it waits.</EmptyState>}
    />
  </Section>
);

const request: Column<QueuedRow> = {
  key: 'id',
  header: 'Request',
  cell: ({ id, model }) => (
    <>
      {id}
      <div class="soft">{model}</div>
    </>
  ),
};
const caller: Column<QueuedRow> = {
  key: 'account',
  header: 'Account and key',
  cell: ({ account_id: id, key_id: key }) => (
    <>
      <a href={`/operator/accounts/${id}`}>{id}</a>
      <div class="soft">{key}</div>
    </>
  ),
};
const columns: readonly Column<QueuedRow>[] = [
  request,
  { key: 'class', header: 'Class', cell: (row) => row.class },
  { key: 'position', header: 'Position', isNumber: true, cell: ({ position }) => position },
  { key: 'waited', header: 'Waited', isNumber: true, cell: (row) => formatDuration(row.waited_ms) },
  { key: 'refused', header: 'Refused', cell: (row) => <Time at={row.refused_at} isRelative /> },
  { key: 'providers', header: 'Providers', cell: ({ providers }) => providers.join(', ') },
  caller,
];
const node: Column<QueuedRow> = { key: 'node', header: 'Node', cell: (row) => row.node };

/** The node is shown only if requests of several nodes wait. */
const columnsFor = (rows: readonly QueuedRow[]) =>
  new Set(rows.map((row) => row.node)).size > 1 ? [...columns, node] : columns;
