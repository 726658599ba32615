import type { Column } from '../../components/column.ts';
import { numberColumn, textColumn, timeColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatNumber } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { Named } from '../../components/named.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import { AccountName, nameOf } from './known-names.tsx';
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

const request: Column<QueuedRow> = textColumn('id', 'Request', ({ id, model }) => (
  <>
    {id}
    <div class="soft">{model}</div>
  </>
));
const caller: Column<QueuedRow> = textColumn(
  'account',
  'Account and key',
  ({ account_id: id, key_id: key }) => (
    <>
      <AccountName id={id} />
      {key !== null && <Named name={nameOf(key)} id={key} />}
    </>
  ),
);
const columns: readonly Column<QueuedRow>[] = [
  request,
  textColumn('class', 'Class', (row) => row.class),
  numberColumn('position', 'Position', ({ position }) => position),
  numberColumn('waited', 'Waited', (row) => formatDuration(row.waited_ms)),
  timeColumn('refused', 'Refused', (row) => row.refused_at),
  textColumn('providers', 'Providers', ({ providers }) => providers.join(', ')),
  caller,
];
const node: Column<QueuedRow> = textColumn('node', 'Node', (row) => row.node);

/** The node is shown only if requests of several nodes wait. */
const columnsFor = (rows: readonly QueuedRow[]) =>
  new Set(rows.map((row) => row.node)).size > 1 ? [...columns, node] : columns;
