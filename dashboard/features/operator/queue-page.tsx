import { useQuery } from '../../app/use-query.ts';
import { minor, numberColumn, sortedBy, textColumn } from '../../components/columns.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { formatDuration } from '../../components/format-time.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { type List, OPERATOR } from './operator-api.ts';
import type { ProviderRow, Waiting } from './rows.ts';
import { WaitingTable } from './waiting-table.tsx';

const WAITING = `${OPERATOR}/queue?limit=100`;

type QueueRow = {
  id: string;
  provider: string;
  name: string;
  count: number;
  used: string;
  p50: number | null;
  p95: number | null;
};

/** The requests that wait for a slot, by provider and class. */
export function QueuePage() {
  const waiting = useQuery<Waiting>(WAITING, { pollMs: 1_000 });
  const list = useQuery<List<ProviderRow>>(`${OPERATOR}/providers`, { pollMs: 1_000 });
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
            rows={data.flatMap(rowsOf)}
            empty={<EmptyState title="The queue is empty">Every request finds a slot at once.</EmptyState>}
          />
        )}
      </Loaded>
      <Loaded query={waiting}>{(answer) => <WaitingTable answer={answer} />}</Loaded>
    </>
  );
}

/** A class is shown if requests of it wait now, or have waited lately. */
const rowsOf = ({
  id,
  queue_by_class,
  queue_wait_ms,
  slots_in_use,
  max_concurrent,
}: ProviderRow): QueueRow[] =>
  Object.entries(queue_by_class).flatMap(([name, count]) => {
    const { p50, p95 } = queue_wait_ms[name as keyof typeof queue_wait_ms];
    if (count === 0 && p50 === null) return [];
    const used = `${slots_in_use} of ${max_concurrent ?? 'any number'}`;
    return [{ id: `${id} ${name}`, provider: id, name, count, used, p50, p95 }];
  });

const columns: readonly Column<QueueRow>[] = [
  sortedBy(
    ({ provider }) => provider,
    textColumn('provider', 'Provider', ({ provider }) => <a href="/operator/providers">{provider}</a>),
  ),
  textColumn('class', 'Class', ({ name }) => name),
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
