import { lookUp } from '../../src/base/lib/records.ts';
import type { AdminAnswer } from '../../src/console/admin/admin-calls.ts';
import { queryValue, withParameters } from '../app/address.ts';
import { useQuery } from '../app/use-query.ts';
import type { Column } from './column.ts';
import { headerColumn, minor, numberColumn, textColumn } from './columns.tsx';
import { Filters, TextFilter } from './filters.tsx';
import { formatNumber, formatPrice } from './format.ts';
import { Loaded } from './loaded.tsx';
import { formatMicrocredits } from './microcredits.ts';
import { Section } from './section.tsx';
import { Skeleton } from './skeleton.tsx';
import { Table } from './table.tsx';

type Cost = AdminAnswer<'GET /requests/{id}/cost'>;
type Line = Cost['lines'][number];

/** The quantities that a rate is for. All other units have a rate for one. */
const rateQuantities: Readonly<Record<string, string>> = { token: ' per million', call: ' per thousand' };

/** Explains the cost of the request at `path` line by line, and compares it with other models. */
export function CostLines({ path }: { path: string | null }) {
  const cost = useQuery<Cost>(path && `${path}/cost`);
  const model = queryValue('as_model');
  const row = queryValue('as_row');
  const isSupposed = model !== '' || row !== '';
  const supposedCost = useQuery<Cost>(
    path && isSupposed ? withParameters(`${path}/cost`, { model, row }) : null,
  );
  return (
    <Section
      title="Why this cost"
      lead="Each line is tokens times the rate of its price row. The sum is rounded once."
    >
      <Loaded query={cost} skeleton={<Skeleton lines={4} />}>
        {(data) =>
          data.lines.length === 0 ? (
            <p class="soft">This request was not charged.</p>
          ) : (
            <>
              <Lines cost={data} />
              <Filters>
                <TextFilter param="as_model" label="Price on another model" placeholder="Id of a model" />
                <TextFilter param="as_row" label="Price row" placeholder="0 for the base" />
              </Filters>
              {isSupposed && (
                <Loaded query={supposedCost} skeleton={<Skeleton lines={4} />}>
                  {(supposed) => <Supposed cost={supposed} />}
                </Loaded>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The cost of the same tokens on another model or row. */
function Supposed({ cost }: { cost: Cost }) {
  const difference = cost.difference_microcredits ?? 0;
  const comparison = difference < 0 ? 'less' : 'more';
  return (
    <>
      <p role="status">
        On <code>{cost.model}</code> the same tokens would have cost {formatMicrocredits(cost.microcredits)}{' '}
        credits: {formatMicrocredits(Math.abs(difference))} {comparison}. No model was called.
      </p>
      <Lines cost={cost} />
    </>
  );
}

const Lines = ({ cost }: { cost: Cost }) => (
  <Table
    caption={cost.what_if ? `Cost on ${cost.model}` : 'Lines of the cost'}
    columns={columns}
    rows={cost.lines}
    rowKey={({ what, rate_usd }) => `${what} ${rate_usd}`}
    sortParam="none"
    totals={{ credits: formatMicrocredits(cost.microcredits) }}
  />
);

const columns: readonly Column<Line>[] = [
  headerColumn('what', 'What', ({ what }) => what.replaceAll('_', ' ')),
  numberColumn(
    'quantity',
    'Quantity',
    ({ quantity, unit }) => `${formatNumber(quantity)} ${quantity === 1 ? unit : `${unit}s`}`,
  ),
  numberColumn(
    'rate',
    'Rate',
    ({ rate_usd, unit }) => `${formatPrice(rate_usd)}${lookUp(rateQuantities, unit) ?? ''}`,
  ),
  textColumn('row', 'Price row', ({ row, condition }) => (
    <>
      <code>{row}</code>
      {condition && <span class="soft"> {condition}</span>}
    </>
  )),
  minor(numberColumn('factor', 'Factor', ({ factor }) => formatNumber(factor))),
  numberColumn('credits', 'Credits', ({ microcredits }) => formatMicrocredits(microcredits)),
];
