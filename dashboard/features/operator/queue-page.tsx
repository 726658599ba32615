import { entriesOf } from '../../../src/base/lib/records.ts';
import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/format-duration.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Table } from '../../components/table.tsx';
import { type ListOf, OPERATOR } from './operator-api.ts';
import type { ProviderRow, Waiting } from './rows.ts';
import { WaitingTable } from './waiting-table.tsx';

const WAITING = `${OPERATOR}/queue?limit=100`;

/** The requests of one class that wait for one provider. */
type QueueRow = {
  id: string;
  provider: string;
  planClass: keyof ProviderRow['queue_by_class'];
  count: number;
  /** The slots in use, and all slots. */
  used: string;
  p50: number | null;
  p95: number | null;
};

/** The requests that wait for a slot, by provider and class. */
export function QueuePage() {
  const waiting = useQuery<Waiting>(WAITING, { pollMs: 1_000 });
  const list = useQuery<ListOf<ProviderRow>>(`${OPERATOR}/providers`, { pollMs: 1_000 });
  return (
    <>
      <PageHeader
        title="Queue"
        lead="Queued requests wait for a slot of a provider. Paid requests go before Free, batch and flex requests."
      />
      <Loaded query={list}>
        {({ data }) => (
          <Table
            caption="Queues by provider and class"
            columns={columns}
            rows={data.flatMap(queuesOf)}
            empty={<EmptyState title="The queue is empty">Every request finds a slot at once.</EmptyState>}
          />
        )}
      </Loaded>
      <Loaded query={waiting}>{(answer) => <WaitingTable answer={answer} />}</Loaded>
    </>
  );
}

/** Returns a row for each class of which requests wait now, or have waited lately. */
const queuesOf = ({ id, queue_by_class, queue_wait_ms, ...provider }: ProviderRow): QueueRow[] =>
  entriesOf(queue_by_class).flatMap(([planClass, count]) => {
    const { p50, p95 } = queue_wait_ms[planClass];
    if (count === 0 && p50 === null) return [];
    const used = `${provider.slots_in_use} of ${provider.max_concurrent ?? 'any number'}`;
    return [{ id: `${id} ${planClass}`, provider: id, planClass, count, used, p50, p95 }];
  });

const columns: readonly Column<QueueRow>[] = [
  sortedBy(
    ({ provider }) => provider,
    textColumn('provider', 'Provider', ({ provider }) => <a href="/operator/providers">{provider}</a>),
  ),
  textColumn('class', 'Class', ({ planClass }) => planClass),
  sortedBy(
    ({ count }) => count,
    numberColumn('count', 'Waiting now', ({ count }) => count),
  ),
  numberColumn('p50', 'Wait, p50', ({ p50 }) => formatDuration(p50)),
  sortedBy(
    ({ p95 }) => p95,
    numberColumn('p95', 'Wait, p95', ({ p95 }) => formatDuration(p95)),
  ),
  minor(numberColumn('slots', 'Slots in use', ({ used }) => used)),
];
