import { queryValue, withQuery } from '../../app/address.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, minor, numberColumn, sortedBy } from '../../components/columns.tsx';
import { Section } from '../../components/section.tsx';
import { Table } from '../../components/table.tsx';
import type { Traffic, TrafficGroup } from './rows.ts';
import { type TrafficFigure, trafficFigures } from './traffic-figures.ts';

/** The sums of all other groups. */
const OTHERS = '*';

/**
 * The figures of each group, with the figures of the previous span. A group leads to its own traffic.
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

const columnsFor = (column: string): readonly Column<TrafficGroup>[] => [
  headerColumn('group', column.charAt(0).toUpperCase() + column.slice(1), (row) => (
    <GroupName row={row} column={column} />
  )),
  figureColumn('requests', 'Requests', trafficFigures.requests),
  figureColumn('errors', 'Errors', trafficFigures.errorShare),
  figureColumn('latency', 'Latency p95', trafficFigures.latencyP95),
  minor(figureColumn('first', 'First token p50', trafficFigures.firstTokenP50)),
  minor(figureColumn('tokens', 'Tokens', trafficFigures.tokens)),
  minor(figureColumn('cache', 'Cached', trafficFigures.cacheShare)),
  figureColumn('spend', 'Spend', trafficFigures.spend),
  figureColumn('revenue', 'Revenue', trafficFigures.revenue),
  figureColumn('margin', 'Margin', trafficFigures.margin),
];

/** Returns the column of a figure, with the same figure of the previous span. */
function figureColumn(key: string, header: string, { read, format }: TrafficFigure): Column<TrafficGroup> {
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
