import type { ReceiptPart, RequestDetail } from '../../../src/console/dashboard/request-schema.ts';
import { formatNumber } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { formatDateTimeToSecond } from '../../components/format-time.ts';
import { Section } from '../../components/section.tsx';
import { chargeText } from './charge-text.ts';
import { ReceiptPrices } from './receipt-prices.tsx';

type ReceiptFlowProps = { receipt: ReceiptPart; request: RequestDetail['request'] };

const balanceNames: Readonly<Record<ReceiptPart['balance'], string>> = {
  monthly: "the plan's credits",
  purchased: 'purchased credit',
};

/** Shows the steps of the charge: hold, attempts, posting and hash. */
export const ReceiptFlow = ({ receipt, request }: ReceiptFlowProps) => (
  <Section title="Receipt" lead={receipt.explanation} isCard>
    <ol class="flow">
      <Hold receipt={receipt} />
      {request && request.calls.length > 0 ? (
        request.calls.map((call, index) => <Attempt key={index} call={call} number={index + 1} />)
      ) : (
        <li>
          <strong>Attempts</strong>
          {formatNumber(receipt.attempts)}
        </li>
      )}
      <Posting receipt={receipt} />
      <li>
        <strong>Hash</strong>
        Entry {formatNumber(receipt.sequence)} of the account's chain, <code>{receipt.entry_id}</code>. Its
        hash covers all entries before it: <code>{receipt.hash}</code>
      </li>
    </ol>
    <ReceiptPrices receipt={receipt} />
  </Section>
);

const Hold = ({ receipt: { held_microcredits, balance, max_output_tokens } }: { receipt: ReceiptPart }) => (
  <li>
    <strong>Hold</strong>
    {held_microcredits > 0
      ? `${chargeText(held_microcredits)} of ${balanceNames[balance]} was reserved.`
      : 'No credit was reserved.'}
    {max_output_tokens !== null &&
      ` The answer could have ${formatNumber(max_output_tokens)} tokens at most.`}
  </li>
);

type Call = NonNullable<RequestDetail['request']>['calls'][number];

const Attempt = ({ call: { outcome, status, ms, started_at }, number }: { call: Call; number: number }) => (
  <li class={outcome === 'failed' ? 'bad' : undefined}>
    <strong>Attempt {number}</strong>
    {outcome === 'answered' ? 'The model answered' : 'The attempt failed'}
    {status !== null && ` with status ${status}`}
    {ms !== null && ` after ${formatDuration(ms)}`}. It began at {formatDateTimeToSecond(started_at)}.
  </li>
);

const Posting = ({ receipt }: { receipt: ReceiptPart }) => (
  <li>
    <strong>Posting</strong>
    {chargeText(receipt.microcredits)} was charged to {balanceNames[receipt.balance]} at{' '}
    {formatDateTimeToSecond(receipt.posted_at)}.
    {receipt.shortfall_microcredits > 0 &&
      ` The list cost is ${chargeText(receipt.list_cost_microcredits)}; ${chargeText(receipt.shortfall_microcredits)} was not charged.`}
  </li>
);
