import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { MoneyLine } from '../../customers/billing/money-lines.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import type { EntriesView } from './billing-schema.ts';

export const lineView = (line: MoneyLine): EntriesView['data'][number] => {
  const after = {
    purchased_credits_after: creditsOf(Math.max(0, line.purchasedMicrocredits)),
    debt_credits_after: creditsOf(Math.max(0, -line.purchasedMicrocredits)),
  };
  if (line.kind === 'usage') {
    const { balance, from, to, requests, microcredits } = line;
    return {
      id: null,
      kind: 'usage',
      balance,
      from: isoTime(from),
      to: isoTime(to),
      requests,
      reason: null,
      credits: -creditsOf(microcredits),
      ...after,
    };
  }
  const { id, kind, at, period, microcredits, reason } = line.entry;
  return {
    id,
    kind,
    balance: balanceOf(period),
    from: isoTime(at),
    to: isoTime(at),
    requests: null,
    reason,
    credits: creditsOf(microcredits),
    ...after,
  };
};

export const entryDetailView = (entry: WrittenEntry) => ({
  id: entry.id,
  at: isoTime(entry.at),
  kind: entry.kind,
  balance: balanceOf(entry.period),
  credits: creditsOf(entry.kind === 'usage' ? -entry.microcredits : entry.microcredits),
  reason: entry.reason,
  sequence: entry.sequence,
  hash: entry.hash,
});

/** Refuses an entry of another account like one that does not exist. */
export const ownEntry = (entry: WrittenEntry | undefined, accountId: string): WrittenEntry | Refusal =>
  entry?.accountId === accountId
    ? entry
    : new Refusal('not_found', { message: 'This organization has no entry with this id.' });
