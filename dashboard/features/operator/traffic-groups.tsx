import { queryValue, withQuery } from '../../app/address.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, minor, numberColumn, sortedBy } from '../../components/columns.tsx';
import { formatCompact, formatNumber, formatPercent, formatUsd } from '../../components/format.ts';
import { formatDuration } from '../../components/format-time.ts';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import type { Traffic, TrafficFigures, TrafficGroup } from './rows.ts';

/**
 * The figures of each group, with those of the span before. A group leads to the traffic of that group alone.
 */
export function TrafficGroups({ traffic: { groups, group_by: column } }: { traffic: Traffic }) {
  if (!groups || column === null) return null;
  return (
    <Section title={`By ${column}`} lead="The second figure is that of the span before.">
      <Table
        caption={`Traffic by ${column}`}
        columns={columnsFor(column)}
        rows={groups}
        rowKey={({ group }) => group}
        empty={<p class="soft">There were no requests.</p>}
      />
    </Section>
  );
}

/** The sums of all other groups. */
const OTHERS = '*';

const columnsFor = (column: string): readonly Column<TrafficGroup>[] => [
  headerColumn('group', column.charAt(0).toUpperCase() + column.slice(1), (row) => (
    <GroupName row={row} column={column} />
  )),
  figure('requests', 'Requests', ({ requests }) => requests, formatNumber),
  figure('errors', 'Errors', ({ errors, requests }) => shareOf(errors, requests), formatPercent),
  figure('latency', 'Latency p95', ({ latency_ms }) => latency_ms.p95, formatDuration),
  minor(figure('first', 'First token p50', ({ first_token_ms }) => first_token_ms.p50, formatDuration)),
  minor(figure('tokens', 'Tokens', (row) => row.input_tokens + row.output_tokens, formatCompact)),
  minor(figure('cache', 'Cached', ({ cache_share: share }) => share, formatPercent)),
  figure('spend', 'Spend', ({ spend_usd: usd }) => usd, formatUsd),
  figure('revenue', 'Revenue', ({ revenue_usd: usd }) => usd, formatUsd),
  figure('margin', 'Margin', ({ margin_usd: usd }) => usd, formatUsd),
];

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

function figure(
  key: string,
  header: string,
  read: (figures: TrafficFigures) => number | null,
  format: (value: number | null) => string,
): Column<TrafficGroup> {
  const cell = (row: TrafficGroup) => (
    <>
      {format(read(row))}
      {row.previous && <span class="soft"> {format(read(row.previous))}</span>}
    </>
  );
  return sortedBy<TrafficGroup>(read, numberColumn<TrafficGroup>(key, header, cell));
}

function GroupName({ row: { group, group_name: name }, column }: { row: TrafficGroup; column: string }) {
  const text = name === '' ? 'none' : name;
  // A filter of the address has no text for requests without a value.
  if (group === '' || group === OTHERS || queryValue(column) === group) return <>{text}</>;
  return (
    <a href={withQuery({ [column]: group, group: null })} title={group}>
      {text}
    </a>
  );
}
