import { isoTime } from '../../base/lib/iso-time.ts';
import type { MoneyLine, UsageLine } from '../../customers/billing/money-line.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import type { EntriesView, EntryDetail } from './entry-schema.ts';

type LineView = EntriesView['data'][number];
/** The members that depend on the kind of the line. */
type LineFields = Omit<LineView, 'purchased_credits_after' | 'debt_credits_after'>;

/** Shows a line of the billing page, with the purchased credit after it. A debt is shown as such. */
export const lineView = (line: MoneyLine): LineView => ({
  ...(line.kind === 'usage' ? usageFields(line) : entryFields(line.entry)),
  purchased_credits_after: creditsOf(Math.max(0, line.purchasedMicrocredits)),
  debt_credits_after: creditsOf(Math.max(0, -line.purchasedMicrocredits)),
});

const usageFields = ({ balance, from, to, requests, microcredits }: UsageLine): LineFields => ({
  id: null,
  kind: 'usage',
  balance,
  from: isoTime(from),
  to: isoTime(to),
  requests,
  reason: null,
  credits: -creditsOf(microcredits),
});

const entryFields = ({ id, kind, at, period, microcredits, reason }: WrittenEntry): LineFields => ({
  id,
  kind,
  balance: balanceOf(period),
  from: isoTime(at),
  to: isoTime(at),
  requests: null,
  reason,
  credits: creditsOf(microcredits),
});

/** Shows one entry, with its place in the chain of the ledger. */
export const entryDetailView = (entry: WrittenEntry): EntryDetail => ({
  id: entry.id,
  at: isoTime(entry.at),
  kind: entry.kind,
  balance: balanceOf(entry.period),
  credits: creditsOf(entry.kind === 'usage' ? -entry.microcredits : entry.microcredits),
  reason: entry.reason,
  sequence: entry.sequence,
  hash: entry.hash,
});
