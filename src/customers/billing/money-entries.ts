import type { EntryKind, WrittenEntry } from '../../money/ledger/entry.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';

const ENTRIES_AT_A_TIME = 500;

/** An entry that is not usage. */
export type MoneyEntry = WrittenEntry & { kind: Exclude<EntryKind, 'usage'> };

export const isMoney = (entry: WrittenEntry): entry is MoneyEntry => entry.kind !== 'usage';

/** The entries of an account from a time on, and before another. `client` aborts if nobody waits for them. */
export type MoneySpan = { accountId: string; from: number; to: number; client: AbortSignal };

/**
 * Reads the entries of a span that are not usage, newest first. One page of the ledger is in memory at a
 * time, and requests are served between two pages. The ledger has no order by time, so later entries are
 * read too.
 */
export async function* moneyEntries(
  ledger: Pick<LedgerStore, 'listEntries'>,
  { accountId, from, to, client }: MoneySpan,
): AsyncGenerator<MoneyEntry> {
  for (let after: string | undefined; !client.aborted; ) {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after });
    for (const entry of page?.items ?? []) {
      if (entry.at < from) return;
      if (entry.at < to && isMoney(entry)) yield entry;
    }
    if (!page?.hasMore) return;
    after = page.items.at(-1)?.id;
    await new Promise(setImmediate);
  }
}
