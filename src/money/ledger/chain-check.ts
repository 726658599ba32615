import { costOfCharge } from './charge-detail.ts';
import type { WrittenEntry } from './entry.ts';
import { hashEntry, NO_HASH } from './hash-entry.ts';
import type { LedgerFault } from './ledger-fault.ts';
import { type ChainedEntry, repairEntryId, repairedNumber } from './repair-entry.ts';

/** The end of a chain of entries. `sequence` is undefined if the last entry cannot be read. */
type Link = Readonly<{ number: number; hash: string; sequence: number | undefined }>;
const CHAIN_START: Link = { number: 0, hash: NO_HASH, sequence: 0 };

/** At most this many damaged entries are reported for one account. */
const MAX_DAMAGED = 100;
const SHOWN_TEXT = 200;

/** A column of a row whose value does not follow from the text of its entry. */
export type ColumnDifference = Omit<LedgerFault, 'accountId'>;

/** Returns the place of an unreadable entry, which follows from the place of the next entry. */
const sequenceBefore = (link: Link | undefined): number | undefined =>
  link?.sequence === undefined ? undefined : link.sequence - 1;

type TakenEntry = { row: ChainedEntry; link: Link };
type Damage = { row: ChainedEntry; faults: LedgerFault[] };

/**
 * Checks an account's entries from newest to oldest, in pieces. Each entry has the hash of its predecessor.
 */
export class ChainCheck {
  readonly #accountId: string;
  readonly #maxDamaged: number;
  readonly #damaged = new Map<number, Damage>();
  readonly #repairs = new Set<string>();
  /** The end of all pieces so far, and the end of the current piece. */
  #end: Link = CHAIN_START;
  #pieceEnd: Link | undefined;
  /** The last entry taken, which follows the next one to be taken. */
  #newer: TakenEntry | undefined;
  entries = 0;

  constructor(accountId: string, { maxDamaged = MAX_DAMAGED }: { maxDamaged?: number } = {}) {
    this.#accountId = accountId;
    this.#maxDamaged = maxDamaged;
  }

  /**
   * Takes the next older row. `entry` is undefined if the row cannot be read.
   * `differences` lists columns that contradict the text.
   */
  take(
    row: ChainedEntry,
    entry: WrittenEntry | undefined,
    differences: readonly ColumnDifference[] = [],
  ): void {
    this.entries += 1;
    const sequence = entry?.sequence ?? sequenceBefore(this.#newer?.link);
    const link: Link = { number: row.number, hash: row.hash, sequence };
    if (entry) this.#checkEntry(row, entry);
    else this.#report(row, { what: 'text', recorded: row.text.slice(0, SHOWN_TEXT), recomputed: 'no entry' });
    for (const difference of differences) this.#report(row, difference);
    if (repairedNumber(row.id) !== undefined) this.#repairs.add(row.id);
    if (this.#newer) this.#link(this.#newer, link);
    else this.#pieceEnd = link;
    this.#newer = { row, link };
  }

  /** Links the piece to the previous one, where it must begin. */
  endPiece(): void {
    if (this.#newer) this.#link(this.#newer, this.#end);
    this.#end = this.#pieceEnd ?? this.#end;
    this.#newer = undefined;
    this.#pieceEnd = undefined;
  }

  /** The end of the chain as far as it was read. */
  get end(): Link {
    return this.#end;
  }

  /** The damaged entries that no repair has accepted, in the order of the check. */
  get damaged(): ChainedEntry[] {
    return this.#unrepaired().map(({ row }) => row);
  }

  get faults(): LedgerFault[] {
    return this.#unrepaired().flatMap(({ faults }) => faults);
  }

  #unrepaired(): Damage[] {
    return [...this.#damaged.values()].filter(({ row }) => !this.#repairs.has(repairEntryId(row)));
  }

  #checkEntry(row: ChainedEntry, { accountId, microcredits, receipt }: WrittenEntry): void {
    if (accountId !== this.#accountId)
      this.#report(row, { what: 'account', recorded: accountId, recomputed: this.#accountId });
    // A limited balance can reduce a charge below its cost. A charge above its cost is a fault.
    const cost = receipt ? costOfCharge(receipt.tokens, receipt.rates, receipt.detail) : undefined;
    if (cost !== undefined && microcredits > cost)
      this.#report(row, { what: 'charge', recorded: microcredits, recomputed: cost });
  }

  /** Compares an entry with the entry before it. If the end of the piece is unreadable, its place follows. */
  #link(newer: TakenEntry, older: Link): void {
    this.#checkLink(newer, older);
    if (newer.link !== this.#pieceEnd || older.sequence === undefined) return;
    this.#pieceEnd = { ...newer.link, sequence: newer.link.sequence ?? older.sequence + 1 };
  }

  #checkLink({ row, link }: TakenEntry, older: Link): void {
    if (row.previous !== older.number)
      this.#report(row, { what: 'previous number', recorded: row.previous, recomputed: older.number });
    const hash = hashEntry(older.hash, row.id, row.text);
    if (row.hash !== hash) this.#report(row, { what: 'hash', recorded: row.hash, recomputed: hash });
    if (older.sequence === undefined || link.sequence === undefined) return;
    if (link.sequence !== older.sequence + 1)
      this.#report(row, { what: 'sequence', recorded: link.sequence, recomputed: older.sequence + 1 });
  }

  #report(row: ChainedEntry, { what, ...values }: ColumnDifference): void {
    let damage = this.#damaged.get(row.number);
    if (!damage) {
      if (this.#damaged.size >= this.#maxDamaged) return;
      damage = { row, faults: [] };
      this.#damaged.set(row.number, damage);
    }
    damage.faults.push({ accountId: this.#accountId, what: `${what} of entry ${row.id}`, ...values });
  }
}
