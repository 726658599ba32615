import { lookUp } from '../../../src/base/lib/records.ts';
import type { ReceiptPart } from '../../../src/console/dashboard/request-schema.ts';
import type { Column } from '../../components/column.ts';
import { numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { Table } from '../../components/table.tsx';
import { chargeText } from './charge-text.ts';

type Price = ReceiptPart['prices'][number];

/** The names of what is charged. A kind that is missing here is shown by its own name. */
const kindNames: Readonly<Record<string, string>> = {
  uncached_input: 'Uncached input',
  cached_input: 'Cached input',
  cache_write_input: 'Input written to a cache',
  output: 'Output',
  web_search: 'Web searches',
  image_generation: 'Generated images',
  cache_write_5m: 'Input cached for 5 minutes',
  cache_write_1h: 'Input cached for 1 hour',
  cache_write_30m: 'Input cached for 30 minutes',
  cache_write_12h: 'Input cached for 12 hours',
  audio_input: 'Audio input',
  audio_output: 'Audio output',
  compaction_input: 'Compaction, input',
  compaction_cached_input: 'Compaction, cached input',
  compaction_output: 'Compaction, output',
  advisor_input: 'Advisor, input',
  advisor_cached_input: 'Advisor, cached input',
  advisor_output: 'Advisor, output',
  fallback_input: 'Fallback, input',
  fallback_cached_input: 'Fallback, cached input',
  fallback_output: 'Fallback, output',
  image_input: 'Images, input',
  image_output: 'Generated images, output',
  image: 'Images',
  second: 'Seconds of sound',
  character: 'Characters',
  document: 'Documents',
  request: 'Requests',
};

const nameOf = ({ kind, model }: Price): string => {
  const name = lookUp(kindNames, kind) ?? kind;
  return model === undefined ? name : `${name} (${model})`;
};

function priceText({ usd_per_mtok, usd_per_1000_calls, usd_per_unit }: Price): string {
  if (usd_per_unit !== undefined) return `${formatPrice(usd_per_unit)} each`;
  if (usd_per_1000_calls !== undefined) return `${formatPrice(usd_per_1000_calls)} for 1,000 calls`;
  return formatPrice(usd_per_mtok);
}

const columns: readonly Column<Price>[] = [
  textColumn('kind', 'Tokens', nameOf),
  numberColumn('count', 'Count', ({ tokens, calls, count }) => formatNumber(count ?? calls ?? tokens)),
  numberColumn('price', 'Price for a million', priceText),
  numberColumn('cost', 'Cost', ({ microcredits }) => chargeText(microcredits)),
];

/** The charged tokens, calls and quantities with their prices, and the origin of the counts. */
export function ReceiptPrices({ receipt }: { receipt: ReceiptPart }) {
  const { reasoning, estimated } = receipt.tokens;
  return (
    <>
      <Table
        caption="Tokens and prices"
        columns={columns}
        rows={receipt.prices}
        rowKey={({ kind, model = '' }) => `${kind} ${model}`}
        totals={{ kind: 'List cost', cost: chargeText(receipt.list_cost_microcredits) }}
      />
      <p class="soft">
        {reasoning > 0 && `${formatNumber(reasoning)} tokens of the output were reasoning. `}
        {estimated ? 'The counts are estimates.' : 'The model reported the counts.'}
      </p>
    </>
  );
}
