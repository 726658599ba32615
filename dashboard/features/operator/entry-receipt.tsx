import { Facts } from '../../components/facts.tsx';
import { formatCredits, formatNumber } from '../../components/format.ts';
import { microcreditsToCredits } from '../../components/microcredits.ts';
import type { EntryRow } from './rows.ts';

const credits = (microcredits: number | null | undefined): string =>
  formatCredits(microcredits == null ? null : microcreditsToCredits(microcredits));

/** A ledger entry with its receipt: what was held, what was charged, by which rates and attempts. */
export const EntryReceipt = ({ entry }: { entry: EntryRow }) => (
  <Facts
    facts={[
      ['Entry', <code>{entry.id}</code>],
      ['Kind', entry.kind],
      ['Balance', entry.balance],
      [entry.kind === 'usage' ? 'Charged' : 'Amount', `${credits(entry.microcredits)} credits`],
      entry.receipt && ['Held', `${credits(entry.receipt.held_microcredits)} credits`],
      entry.receipt && [
        'Rates, USD per million tokens',
        `${entry.receipt.rates_usd_per_mtok.input} input, ${entry.receipt.rates_usd_per_mtok.cached_input} cached, ${entry.receipt.rates_usd_per_mtok.output} output`,
      ],
      [
        'Tokens',
        `${formatNumber(entry.input_tokens)} input, ${formatNumber(entry.cached_input_tokens)} cached, ${formatNumber(entry.output_tokens)} output`,
      ],
      entry.receipt && [
        'Attempts',
        entry.receipt.tried.map(({ provider, outcome }) => `${provider}: ${outcome}`).join(', ') ||
          String(entry.receipt.attempts),
      ],
      entry.receipt && ['Outcome', entry.receipt.outcome],
      ['Sequence', entry.sequence],
      ['Hash', <code class="hash">{entry.hash}</code>],
    ]}
  />
);

export { credits as formatMicrocredits };
