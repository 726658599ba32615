import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { CreditCursor, CreditLine } from './credit-line.ts';
import { CreditLineList } from './credit-line-list.ts';

const ENTRIES_AT_A_TIME = 500;

export type CreditPage = { lines: CreditLine[]; next: CreditCursor | null };

/** The bounds of a page. It ends with the first one that is reached. */
export type PageLimit = {
  /** Entries are read 500 at a time, so a page can read 499 more. */
  entries: number;
  /** A page can have two lines more, since the sums of usage end with the next other entry. */
  lines: number;
  /** The milliseconds after which no more entries are read. */
  ms?: number;
};

export type CreditQuery = {
  accountId: string;
  /** The purchased credit now, or before the entries of the previous page. */
  purchasedMicrocredits: number;
  /** The last entry of the previous page. */
  after?: string | undefined;
  limit: PageLimit;
};

type CreditSources = {
  ledger: Pick<LedgerStore, 'listEntries'>;
  /** Returns the time in milliseconds, from any start. */
  now?(): number;
};

/**
 * Lists what changed an account's credit, newest first, with the purchased credit after each line. The
 * balance is counted backwards from the present one, so it agrees with the ledger's entries. Usage between
 * two other entries is one line for each balance.
 */
export async function listCreditChanges(
  { ledger, now = () => performance.now() }: CreditSources,
  query: CreditQuery,
): Promise<CreditPage> {
  const { accountId, limit } = query;
  const readUntil = now() + (limit.ms ?? Number.POSITIVE_INFINITY);
  const list = new CreditLineList(query);
  do {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after: list.after });
    for (const entry of page?.items ?? []) {
      list.add(entry);
      if (list.length >= limit.lines) return { lines: list.all(), next: list.cursor() };
    }
    if (!page?.hasMore) return { lines: list.all(), next: null };
  } while (list.entryCount < limit.entries && now() < readUntil);
  return { lines: list.all(), next: list.cursor() };
}
