import { DAY_MS } from '../../base/lib/units.ts';
import type { EntryKind, WrittenEntry } from '../../money/ledger/entry.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';

const ENTRIES_AT_A_TIME = 500;

/** An entry that is not usage. */
export type CreditEntry = WrittenEntry & { kind: Exclude<EntryKind, 'usage'> };

export const isCreditEntry = (entry: WrittenEntry): entry is CreditEntry => entry.kind !== 'usage';

/** An account and a span of time, without its end `to`. `client` aborts when the reader has left. */
export type EntrySpan = { accountId: string; from: number; to: number; client: AbortSignal };

/**
 * The requests in a row from before a span after which no entry of the span is expected. Settlements of a
 * spool are written late, and a spool holds little more than 10,000.
 */
const MAX_EARLY = 50_000;

const isLongBefore = ({ at, receipt }: WrittenEntry, time: number): boolean =>
  (receipt?.endedAt ?? at) < time - DAY_MS;

/**
 * Reports whether an entry was certainly written before a time. Grants, purchases and adjustments have the
 * time of their writing. Renewals and charges can be written much later than they say.
 */
const isWrittenBefore = (entry: WrittenEntry, time: number): boolean =>
  isCreditEntry(entry) && entry.kind !== 'renewal' && isLongBefore(entry, time);

/**
 * Reads the entries of a span that are not usage, latest written first, and the unreadable ones, whose times
 * are unknown. One page of the ledger is in memory at a time, and requests are served between two pages. The
 * ledger is in the order of writing, so an entry can follow one with a later `at`.
 */
export async function* creditEntries(
  ledger: Pick<LedgerStore, 'listEntries'>,
  { accountId, from, to, client }: EntrySpan,
): AsyncGenerator<CreditEntry> {
  let early = 0;
  for (let after: string | undefined; !client.aborted; ) {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after });
    for (const entry of page?.items ?? []) {
      const isInSpan = entry.at >= from && entry.at < to;
      if (isCreditEntry(entry) && (isInSpan || entry.isUnreadable)) yield entry;
      if (entry.isUnreadable) continue;
      if (isWrittenBefore(entry, from)) return;
      early = isLongBefore(entry, from) ? early + 1 : 0;
    }
    if (!page?.hasMore || early >= MAX_EARLY) return;
    after = page.items.at(-1)?.id;
    await new Promise(setImmediate);
  }
}
