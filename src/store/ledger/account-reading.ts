import { ChainCheck, type ColumnDifference } from '../../money/ledger/chain-check.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { readEntry } from '../../money/ledger/entry-text.ts';
import type { VerifiedAccount } from '../../money/ledger/ledger-care.ts';
import type { LedgerFault } from '../../money/ledger/ledger-fault.ts';
import type { ChainedEntry } from '../../money/ledger/repair-entry.ts';
import type { ChainHead } from './chain-head.ts';
import type { ExpectedRows } from './expected-rows.ts';

export type ReadingOrder = {
  accountId: string;
  /** The rows to which the entries are added. */
  expected: ExpectedRows;
  /** Entries up to this number are counted separately. */
  upTo?: number;
  maxDamaged?: number;
};

/**
 * The entries of an account, read once and not kept.
 * Each is checked in its chain, and adds to the rows that are expected.
 */
export class AccountReading {
  readonly chain: ChainCheck;
  readonly expected: ExpectedRows;
  readonly #accountId: string;
  readonly #upTo: number;
  readonly #lost: LedgerFault[] = [];
  #counted = 0;

  constructor({ accountId, expected, upTo = Number.POSITIVE_INFINITY, maxDamaged }: ReadingOrder) {
    this.chain = new ChainCheck(accountId, maxDamaged === undefined ? {} : { maxDamaged });
    this.expected = expected;
    this.#accountId = accountId;
    this.#upTo = upTo;
  }

  /** Takes the next older row. `differences` are those between its columns and the text of its entry. */
  take(
    row: ChainedEntry & { isRolledUp?: boolean },
    differences?: (entry: WrittenEntry | undefined) => readonly ColumnDifference[],
  ): void {
    const entry = readEntry(row);
    if (row.number <= this.#upTo) this.#counted += 1;
    this.chain.take(row, entry, differences?.(entry));
    if (entry) this.expected.take(entry, row);
    else this.expected.takeUnreadable(row.id);
  }

  /**
   * Takes the entries of a part of the archive, which the others follow.
   * A part that cannot be read is a fault.
   */
  async takeArchived(
    rows: AsyncIterable<readonly ChainedEntry[]>,
    { what, isLost }: { what: string; isLost(error: unknown): boolean },
  ): Promise<void> {
    try {
      for await (const some of rows) for (const row of some) this.take(row);
    } catch (error) {
      if (!isLost(error)) throw error;
      this.#lost.push({ accountId: this.#accountId, what, recorded: 'whole', recomputed: 'unreadable' });
    }
    this.chain.endPiece();
  }

  /** Returns the end of the chain so far, and expects it in the row of the account's head. */
  end(sequenceOfDamaged = 0): ChainHead {
    const { number, hash, sequence = sequenceOfDamaged } = this.chain.end;
    const head = { number, hash, sequence };
    if (number > 0) this.expected.endAt(head);
    return head;
  }

  /** Returns what was found, with the differences of derived rows. */
  verified(differences: readonly LedgerFault[]): VerifiedAccount & { unreadable: string | undefined } {
    return {
      entries: this.chain.entries,
      counted: this.#counted,
      unreadable: this.chain.damaged.find((row) => !readEntry(row))?.id,
      faults: [...this.#lost, ...this.chain.faults, ...differences],
    };
  }
}
