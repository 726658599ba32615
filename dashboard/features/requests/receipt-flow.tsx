import { lookUp } from '../../../src/base/lib/records.ts';
import type { ReceiptPart, RequestDetail } from '../../../src/console/dashboard/request-schema.ts';
import { numberColumn, textColumn } from '../../components/columns.tsx';
import { formatNumber, formatPrice } from '../../components/format.ts';
import { formatDuration, formatSecond } from '../../components/format-time.ts';
import { microcreditsToUsd } from '../../components/microcredits.ts';
import { Section } from '../../components/section.tsx';
import { type Column, Table } from '../../components/table.tsx';

const usd = (microcredits: number): string => formatPrice(microcreditsToUsd(microcredits));

const balances = { monthly: "the plan's credits", purchased: 'purchased credit' } as const;

/** Shows the steps of the charge: hold, attempts, posting and hash. */
export function ReceiptFlow({
  receipt,
  request,
}: {
  receipt: ReceiptPart;
  request: RequestDetail['request'];
}) {
  const { held_microcredits: held } = receipt;
  return (
    <Section title="Receipt" lead={receipt.explanation} isCard>
      <ol class="flow">
        <li>
          <strong>Hold</strong>
          {held > 0
            ? `${usd(held)} of ${balances[receipt.balance]} was reserved.`
            : 'No credit was reserved.'}
          {receipt.max_output_tokens !== null &&
            ` The answer could have ${formatNumber(receipt.max_output_tokens)} tokens at most.`}
        </li>
        {request && request.calls.length > 0 ? (
          request.calls.map((call, index) => (
            <li key={call.started_at} class={call.outcome === 'failed' ? 'bad' : undefined}>
              <strong>Attempt {index + 1}</strong>
              {call.outcome === 'answered' ? 'The model answered' : 'The attempt failed'}
              {call.status !== null && ` with status ${call.status}`}
              {call.ms !== null && ` after ${formatDuration(call.ms)}`}. It began at{' '}
              {formatSecond(call.started_at)}.
            </li>
          ))
        ) : (
          <li>
            <strong>Attempts</strong>
            {formatNumber(receipt.attempts)}
          </li>
        )}
        <li>
          <strong>Posting</strong>
          {usd(receipt.microcredits)} was charged to {balances[receipt.balance]} at{' '}
          {formatSecond(receipt.posted_at)}.
          {receipt.shortfall_microcredits > 0 &&
            ` The list cost is ${usd(receipt.list_cost_microcredits)}; ${usd(receipt.shortfall_microcredits)} was not charged.`}
        </li>
        <li>
          <strong>Hash</strong>
          Entry {formatNumber(receipt.sequence)} of the account's chain, <code>{receipt.entry_id}</code>. Its
          hash covers all entries before it: <code>{receipt.hash}</code>
        </li>
      </ol>
      <Prices receipt={receipt} />
    </Section>
  );
}

type Price = ReceiptPart['prices'][number];

const kinds: Readonly<Record<string, string>> = {
  uncached_input: 'Uncached input',
  cached_input: 'Cached input',
  cache_write_input: 'Input written to a cache',
  output: 'Output',
};

const dimensions: Readonly<Record<string, string>> = {
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
  const name = lookUp(kinds, kind) ?? lookUp(dimensions, kind) ?? kind;
  return model === undefined ? name : `${name} (${model})`;
};

const columns: readonly Column<Price>[] = [
  textColumn('kind', 'Tokens', nameOf),
  numberColumn('count', 'Count', ({ tokens, calls, count }) => formatNumber(count ?? calls ?? tokens)),
  numberColumn('price', 'Price for a million', ({ usd_per_mtok, usd_per_1000_calls, usd_per_unit }) => {
    if (usd_per_unit !== undefined) return `${formatPrice(usd_per_unit)} each`;
    return usd_per_1000_calls === undefined
      ? formatPrice(usd_per_mtok)
      : `${formatPrice(usd_per_1000_calls)} for 1,000 calls`;
  }),
  numberColumn('cost', 'Cost', ({ microcredits }) => usd(microcredits)),
];

function Prices({ receipt }: { receipt: ReceiptPart }) {
  const { reasoning, estimated } = receipt.tokens;
  return (
    <>
      <Table
        caption="Tokens and prices"
        columns={columns}
        rows={receipt.prices}
        rowKey={({ kind, model = '' }) => `${kind} ${model}`}
        totals={{ kind: 'List cost', cost: usd(receipt.list_cost_microcredits) }}
      />
      <p class="soft">
        {reasoning > 0 && `${formatNumber(reasoning)} tokens of the output were reasoning. `}
        {estimated ? 'The counts are estimates.' : 'The model reported the counts.'}
      </p>
    </>
  );
}
