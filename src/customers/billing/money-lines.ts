import type { WrittenEntry } from '../../money/ledger/entry.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { isMoney, type MoneyEntry } from './money-entries.ts';

const ENTRIES_AT_A_TIME = 500;

/** The amounts of all usage between two entries of money. */
export type UsageLine = {
  kind: 'usage';
  balance: 'monthly' | 'purchased';
  from: number;
  to: number;
  requests: number;
  microcredits: number;
  /** The purchased credit after the line. */
  purchasedMicrocredits: number;
};
export type MoneyLine = { kind: 'entry'; entry: MoneyEntry; purchasedMicrocredits: number } | UsageLine;

/**
 * `after`: the last entry that was read.
 * `purchasedMicrocredits`: the balance before the entries that were read.
 */
export type MoneyCursor = { after: string; purchasedMicrocredits: number };

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
  const list = new LineList(question);
  do {
    const page = await ledger.listEntries({ accountId, limit: ENTRIES_AT_A_TIME, after: list.after });
    for (const entry of page?.items ?? []) {
      list.add(entry);
      if (list.length >= limit.lines) return { lines: list.all(), next: list.cursor() };
    }
    if (!page?.hasMore) return { lines: list.all(), next: null };
  } while (list.entries < limit.entries && performance.now() < readUntil);
  return { lines: list.all(), next: list.cursor() };
}

/** The lines of the entries so far. The sums of usage after the last other entry can still grow. */
class LineList {
  /** The last entry that was added. */
  after: string | undefined;
  /** The number of entries that were added. */
  entries = 0;
  /** The purchased credit before the entries. */
  #purchased: number;
  readonly #lines: MoneyLine[] = [];
  #openSums: UsageLine[] = [];

  constructor({ purchasedMicrocredits, after }: Pick<MoneyQuestion, 'purchasedMicrocredits' | 'after'>) {
    this.#purchased = purchasedMicrocredits;
    this.after = after;
  }

  /** The number of lines that are complete. */
  get length(): number {
    return this.#lines.length;
  }

  add(entry: WrittenEntry): void {
    this.#show(entry);
    this.#purchased -= changeOf(entry);
    this.after = entry.id;
    this.entries++;
  }

  all(): MoneyLine[] {
    return [...this.#lines, ...this.#openSums];
  }

  /** Returns the place where the next page begins, or null if there is no entry. */
  cursor(): MoneyCursor | null {
    if (this.after === undefined) return null;
    return { after: this.after, purchasedMicrocredits: this.#purchased };
  }

  #show(entry: WrittenEntry): void {
    if (!isMoney(entry)) {
      this.#addUsage(entry);
      return;
    }
    this.#lines.push(...this.#openSums, { kind: 'entry', entry, purchasedMicrocredits: this.#purchased });
    this.#openSums = [];
  }

  #addUsage({ period, at, microcredits }: WrittenEntry): void {
    const balance = balanceOf(period);
    const sum = this.#openSums.find((line) => line.balance === balance);
    if (!sum) {
      const span = { from: at, to: at, requests: 1, microcredits };
      this.#openSums.push({ kind: 'usage', balance, ...span, purchasedMicrocredits: this.#purchased });
      return;
    }
    sum.from = Math.min(sum.from, at);
    sum.to = Math.max(sum.to, at);
    sum.requests += 1;
    sum.microcredits += microcredits;
  }
}

/** Returns what an entry adds to the purchased credit. */
function changeOf({ kind, period, microcredits }: WrittenEntry): number {
  if (balanceOf(period) !== 'purchased') return 0;
  return kind === 'usage' ? -microcredits : microcredits;
}
