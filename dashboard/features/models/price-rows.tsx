import type { ModelDetail } from '../../../src/console/dashboard/model-schema.ts';
import { formatDateTime, formatNumber, formatPrice } from '../../components/format.ts';

type Rows = NonNullable<ModelDetail['rowed_prices']>;
type Row = Rows['conditions'][number];
type Three = Pick<Row, 'input' | 'output' | 'cached_input'>;

const ALL_DAYS = 7;

const hoursWords = ({ hours = [] }: Row): string =>
  hours
    .map(({ days, from, to }) => `${days.length === ALL_DAYS ? '' : `${days.join(' ')} `}${from}–${to} UTC`)
    .join(' or ');

/** The conditions of a row, in words. */
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

const Cells = ({ of: { input, cached_input, output } }: { of: Three }) => (
  <>
    <td class="number">{formatPrice(input)}</td>
    <td class="number">{formatPrice(cached_input ?? input)}</td>
    <td class="number">{formatPrice(output)}</td>
  </>
);

/** What a small request costs now and after the next change, and every row with its conditions. */
export const PriceRows = ({ of: { now, next, conditions } }: { of: Rows }) => (
  <section class="table-scroll" aria-label="Conditions of the prices">
    <table class="table">
      <caption class="hidden">Prices with conditions, in US dollars for a million tokens</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Row</th>
          <th scope="col" class="number">
            Input
          </th>
          <th scope="col" class="number">
            Cached input
          </th>
          <th scope="col" class="number">
            Output
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Now</th>
          <td>{now.row}</td>
          <Cells of={now} />
        </tr>
        {next && (
          <tr>
            <th scope="row">From {formatDateTime(next.at)}</th>
            <td>{next.row}</td>
            <Cells of={next} />
          </tr>
        )}
        {conditions.map((row) => (
          <tr key={row.name}>
            <th scope="row">{conditionWords(row) || 'Always'}</th>
            <td>{row.name}</td>
            <Cells of={row} />
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
