import { DAY_MS } from '../../base/lib/units.ts';
import type { EntryKind, WrittenEntry } from '../../money/ledger/entry.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';

const ENTRIES_AT_A_TIME = 500;

/** An entry that is not usage. */
export type MoneyEntry = WrittenEntry & { kind: Exclude<EntryKind, 'usage'> };

export const isMoney = (entry: WrittenEntry): entry is MoneyEntry => entry.kind !== 'usage';

/** The entries of an account from a time on, and before another. `client` aborts if nobody waits for them. */
export type MoneySpan = { accountId: string; from: number; to: number; client: AbortSignal };

/**
 * Reports whether an entry was probably written before a time. Renewals and entries of the spool are written
 * later than they say, so a single entry is no proof. An unreadable entry has no time.
 */
const isLongBefore = ({ at, receipt, isUnreadable }: WrittenEntry, time: number): boolean =>
  !isUnreadable && (receipt?.endedAt ?? at) < time - DAY_MS;

/**
 * Reads the entries of a span that are not usage, latest written first. One page of the ledger is in memory
 * at a time, and requests are served between two pages. The ledger is in the order of writing, so an entry
 * can follow one with a later `at`.
 */
export async function* moneyEntries(
  ledger: Pick<LedgerStore, 'listEntries'>,
  { accountId, from, to, client }: MoneySpan,
): AsyncGenerator<MoneyEntry> {
  for (let after: string | undefined; !client.aborted; ) {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after });
    const entries = page?.items ?? [];
    for (const entry of entries) if (entry.at >= from && entry.at < to && isMoney(entry)) yield entry;
    if (!page?.hasMore || entries.every((entry) => isLongBefore(entry, from))) return;
    after = entries.at(-1)?.id;
    await new Promise(setImmediate);
  }
}
