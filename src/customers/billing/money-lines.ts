import type { WrittenEntry } from '../../money/ledger/entry.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { balanceOf } from '../../money/ledger/period.ts';

const AT_A_TIME = 500;

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
export type MoneyLine = { kind: 'entry'; entry: WrittenEntry; purchasedMicrocredits: number } | UsageLine;

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
  /** Entries before this time end the page for good. */
  since?: number;
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
  const { accountId, since = 0, limit } = question;
  const readUntil = performance.now() + (limit.ms ?? Number.POSITIVE_INFINITY);
  const lines: MoneyLine[] = [];
  let open: UsageLine[] = [];
  let purchased = question.purchasedMicrocredits;
  let { after } = question;
  for (let read = 0; read < limit.entries && (read === 0 || performance.now() < readUntil); ) {
    const page = await ledger.listEntries({ accountId, limit: AT_A_TIME, after });
    for (const entry of page?.items ?? []) {
      if (entry.at < since) return { lines: [...lines, ...open], next: null };
      if (entry.kind === 'usage') open = addUsage(open, entry, purchased);
      else {
        lines.push(...open, { kind: 'entry', entry, purchasedMicrocredits: purchased });
        open = [];
      }
      purchased -= changeOf(entry);
      after = entry.id;
      read += 1;
      if (lines.length >= limit.lines)
        return { lines, next: { after: entry.id, purchasedMicrocredits: purchased } };
    }
    if (!page?.hasMore) return { lines: [...lines, ...open], next: null };
  }
  return { lines: [...lines, ...open], next: { after: after!, purchasedMicrocredits: purchased } };
}

function changeOf({ kind, period, microcredits }: WrittenEntry): number {
  if (balanceOf(period) !== 'purchased') return 0;
  return kind === 'usage' ? -microcredits : microcredits;
}

function addUsage(
  open: UsageLine[],
  { period, at, microcredits }: WrittenEntry,
  purchased: number,
): UsageLine[] {
  const balance = balanceOf(period);
  const openLine = open.find((line) => line.balance === balance);
  if (!openLine)
    return [
      ...open,
      {
        kind: 'usage',
        balance,
        from: at,
        to: at,
        requests: 1,
        microcredits,
        purchasedMicrocredits: purchased,
      },
    ];
  openLine.from = Math.min(openLine.from, at);
  openLine.to = Math.max(openLine.to, at);
  openLine.requests += 1;
  openLine.microcredits += microcredits;
  return open;
}
