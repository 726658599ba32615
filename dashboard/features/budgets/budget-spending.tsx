import { useQuery } from '../../app/use-query.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatUsd } from '../../components/format.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import type { SpendRow } from './budget-row.ts';

const columns: readonly Column<SpendRow>[] = [
  headerColumn(
    'target',
    'Counts for',
    ({ target, target_name }) => target_name ?? target ?? 'The organization',
  ),
  numberColumn('spent', 'Spent', ({ spent_usd }) => formatUsd(spent_usd)),
  numberColumn('held', 'Held', ({ held_usd }) => formatUsd(held_usd)),
  numberColumn('requests', 'Requests', ({ requests }) => formatNumber(requests)),
  textColumn('resets', 'Resets', ({ resets_at }) => (resets_at ? <Time at={resets_at} isRelative /> : '–')),
];

/** The amounts that count against a budget now. */
export function BudgetSpending({ path }: { path: string }) {
  const query = useQuery<{ data: SpendRow[] }>(`${path}/spend`);
  return (
    <section>
      <h3>What counts against it</h3>
      <Loaded query={query}>
        {({ data }) => (
          <Table
            caption="What counts against the budget"
            columns={columns}
            rows={data}
            sortParam="spend-sort"
            empty={<p class="soft">Nothing was spent in this window.</p>}
          />
        )}
      </Loaded>
    </section>
  );
}
