import type { QueueRowView } from '../../../src/api/admin/queue-view.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration, formatNumber } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import type { List } from './operator-api.ts';

export type Waiting = List<QueueRowView> & { total: number };

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
      columns={columns}
      rows={data}
      rowKey={({ node, id }) => `${node} ${id}`}
      empty={<EmptyState title="No request waits">A request is listed here while it waits.</EmptyState>}
    />
  </Section>
);

const columns: readonly Column<QueueRowView>[] = [
  { key: 'id', header: 'Request', cell: ({ id }) => <code>{id}</code> },
  { key: 'class', header: 'Class', cell: (row) => row.class },
  { key: 'waited', header: 'Waited', isNumber: true, cell: (row) => formatDuration(row.waited_ms) },
  { key: 'position', header: 'Position', isNumber: true, cell: ({ position }) => position },
  { key: 'model', header: 'Model', cell: ({ model }) => model ?? '–' },
  {
    key: 'account',
    header: 'Account',
    cell: ({ account_id: id }) => <a href={`/operator/accounts/${id}`}>{id}</a>,
  },
  { key: 'key', header: 'Key', isMinor: true, cell: (row) => row.key_id ?? '–' },
  { key: 'providers', header: 'Providers', cell: ({ providers }) => providers.join(', ') },
  { key: 'refused', header: 'Refused', cell: (row) => <Time at={row.refused_at} isRelative /> },
  { key: 'node', header: 'Node', isMinor: true, cell: ({ node }) => node },
];
