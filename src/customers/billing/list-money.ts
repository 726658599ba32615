import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { MoneyCursor, MoneyLine } from './money-line.ts';
import { MoneyLineList } from './money-line-list.ts';

const ENTRIES_AT_A_TIME = 500;

export type MoneyPage = { lines: MoneyLine[]; next: MoneyCursor | null };

export type MoneyQuestion = {
  accountId: string;
  /** The purchased credit now, or before the entries of the previous page. */
  purchasedMicrocredits: number;
  after?: string | undefined;
  /**
   * The entries that one page may read, the lines that it may have, and the
   * milliseconds after which it reads no more.
   */
  limit: { entries: number; lines: number; ms?: number };
};

/**
 * Lists what changed an account's credit, newest first, with the purchased credit after each line. The
 * balance is counted backwards from the present one, so it agrees with the ledger's entries. Usage between
 * two other entries is one line for each balance.
 */
export async function listMoney(
  ledger: Pick<LedgerStore, 'listEntries'>,
  question: MoneyQuestion,
): Promise<MoneyPage> {
  const { accountId, limit } = question;
  const readUntil = performance.now() + (limit.ms ?? Number.POSITIVE_INFINITY);
  const list = new MoneyLineList(question);
  do {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after: list.after });
    for (const entry of page?.items ?? []) {
      list.add(entry);
      if (list.length >= limit.lines) return { lines: list.all(), next: list.cursor() };
    }
    if (!page?.hasMore) return { lines: list.all(), next: null };
  } while (list.entryCount < limit.entries && performance.now() < readUntil);
  return { lines: list.all(), next: list.cursor() };
}
