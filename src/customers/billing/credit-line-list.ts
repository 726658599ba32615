import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { isCreditEntry } from './credit-entries.ts';
import type { CreditCursor, CreditLine, UsageLine } from './credit-line.ts';

/** The lines of the entries that were added. The sums of usage since the last other entry can still grow. */
export class CreditLineList {
  /** The last entry that was added. */
  after: string | undefined;
  /** The number of entries that were added. */
  entryCount = 0;
  /** The purchased credit before the entries. */
  #purchased: number;
  readonly #lines: CreditLine[] = [];
  #openSums: UsageLine[] = [];

  constructor({
    purchasedMicrocredits,
    after,
  }: { purchasedMicrocredits: number; after?: string | undefined }) {
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
    this.entryCount++;
  }

  all(): CreditLine[] {
    return [...this.#lines, ...this.#openSums];
  }

  /** Returns the place where the next page begins, or null if there is no entry. */
  cursor(): CreditCursor | null {
    if (this.after === undefined) return null;
    return { after: this.after, purchasedMicrocredits: this.#purchased };
  }

  #show(entry: WrittenEntry): void {
    if (!isCreditEntry(entry)) {
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
