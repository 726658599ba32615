import type { ModelDetail } from '../../../src/console/dashboard/model-schema.ts';
import type { Column } from '../../components/column.ts';
import { headerColumn, numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { formatDateTime } from '../../components/format-time.ts';
import { Table } from '../../components/table.tsx';

type RowedPrices = NonNullable<ModelDetail['rowed_prices']>;
type Row = RowedPrices['conditions'][number];

const ALL_DAYS = 7;

const hoursWords = ({ hours = [] }: Row): string =>
  hours
    .map(({ days, from, to }) => `${days.length === ALL_DAYS ? '' : `${days.join(' ')} `}${from}–${to} UTC`)
    .join(' or ');

const conditionWords = (row: Row): string =>
  [
    row.above_input_tokens !== undefined && `above ${formatNumber(row.above_input_tokens)} input tokens`,
    hoursWords(row),
    row.from !== undefined && `from ${row.from}`,
    row.until !== undefined && `until ${row.until}`,
    row.tier !== undefined && `tier ${row.tier}`,
    row.region !== undefined && `region ${row.region}`,
  ]
    .filter((words) => words)
    .join(', ');

type ShownPrice = Pick<Row, 'name' | 'input' | 'output' | 'cached_input'> & { when: string };

const columns: readonly Column<ShownPrice>[] = [
  headerColumn('when', 'When', ({ when }) => when),
  textColumn('row', 'Row', ({ name }) => name),
  numberColumn('input', 'Input', ({ input }) => formatPrice(input)),
  numberColumn('cached', 'Cached input', ({ cached_input, input }) => formatPrice(cached_input ?? input)),
  numberColumn('output', 'Output', ({ output }) => formatPrice(output)),
];

/** Shows the cost of a small request now and after the next change, and every row with its conditions. */
export const PriceRows = ({ prices: { now, next, conditions } }: { prices: RowedPrices }) => (
  <Table
    caption="Prices with conditions, in US dollars for a million tokens"
    columns={columns}
    rows={[
      { ...now, when: 'Now', name: now.row },
      ...(next ? [{ ...next, when: `From ${formatDateTime(next.at)}`, name: next.row }] : []),
      ...conditions.map((row) => ({ ...row, when: conditionWords(row) || 'Always' })),
    ]}
    rowKey={({ when, name }) => `${when} ${name}`}
    sortParam="none"
    isNarrow
  />
);
