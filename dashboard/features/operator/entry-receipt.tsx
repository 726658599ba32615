import { type Fact, Facts } from '../../components/facts.tsx';
import { formatNumber } from '../../components/format.ts';
import { formatMicrocredits } from '../../components/microcredits.ts';
import type { EntryRow } from './rows.ts';

/** A ledger entry with its receipt: the held and the charged credits, the rates and the attempts. */
export const EntryReceipt = ({ entry }: { entry: EntryRow }) => {
  const { id, kind, balance, microcredits, receipt, sequence, hash } = entry;
  return (
    <Facts
      facts={[
        ['Entry', <code>{id}</code>],
        ['Kind', kind],
        ['Balance', balance],
        [kind === 'usage' ? 'Charged' : 'Amount', `${formatMicrocredits(microcredits)} credits`],
        ...(receipt ? chargeFacts(receipt) : []),
        ['Tokens', tokenText(entry)],
        ...(receipt ? callFacts(receipt) : []),
        ['Sequence', sequence],
        ['Hash', <code class="hash">{hash}</code>],
      ]}
    />
  );
};

type Receipt = NonNullable<EntryRow['receipt']>;

const chargeFacts = ({ held_microcredits, rates_usd_per_mtok: rates }: Receipt): Fact[] => [
  ['Held', `${formatMicrocredits(held_microcredits)} credits`],
  [
    'Rates, USD per million tokens',
    `${rates.input} input, ${rates.cached_input} cached, ${rates.output} output`,
  ],
];

const callFacts = ({ tried, attempts, outcome }: Receipt): Fact[] => [
  ['Attempts', tried.map((attempt) => `${attempt.provider}: ${attempt.outcome}`).join(', ') || attempts],
  ['Outcome', outcome],
];

const tokenText = ({ input_tokens, cached_input_tokens, output_tokens }: EntryRow): string =>
  `${formatNumber(input_tokens)} input, ${formatNumber(cached_input_tokens)} cached, ${formatNumber(output_tokens)} output`;
