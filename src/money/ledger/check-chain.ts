import { costOfTokens } from './cost-of-usage.ts';
import type { WrittenEntry } from './entry.ts';
import { hashEntry, NO_HASH } from './hash-entry.ts';
import type { LedgerFault } from './ledger-fault.ts';
import { type ChainedEntry, repairEntryId, repairedNumber } from './repair-entry.ts';

/** Where a chain was found to end before. `sequence` undefined: that entry cannot be read. */
export type Link = { number: number; hash: string; sequence: number | undefined };
export const CHAIN_START: Link = { number: 0, hash: NO_HASH, sequence: 0 };

/** Whoever has to look at more of one account begins with these. */
const MOST_DAMAGED = 100;
const SHOWN_TEXT = 200;

type Damage = { row: ChainedEntry; faults: LedgerFault[] };

/** Checks an account's entries from the newest to the oldest, piece by piece: each against the one before it, of which it has the hash. */
export class ChainCheck {
  readonly #accountId: string;
  readonly #mostDamaged: number;
  readonly #damaged = new Map<number, Damage>();
  readonly #repairs = new Set<string>();
  /** The end of all pieces up to now, and that of the piece that is being taken. */
  #end: Link = CHAIN_START;
  #pieceEnd: Link | undefined;
  /** The entry that was taken last, which is behind the next one. */
  #newer: { row: ChainedEntry; link: Link } | undefined;
  entries = 0;

  constructor(accountId: string, { mostDamaged = MOST_DAMAGED }: { mostDamaged?: number } = {}) {
    this.#accountId = accountId;
    this.#mostDamaged = mostDamaged;
  }

  /** `entry` undefined: the row cannot be read. */
  take(row: ChainedEntry, entry: WrittenEntry | undefined): void {
    this.entries += 1;
    const link: Link = { number: row.number, hash: row.hash, sequence: entry?.sequence };
    if (entry) this.#checkEntry(row, entry);
    else this.#tell(row, { what: 'text', recorded: row.text.slice(0, SHOWN_TEXT), recomputed: 'no entry' });
    if (repairedNumber(row.id) !== undefined) this.#repairs.add(row.id);
    if (this.#newer) this.#checkLink(this.#newer, link);
    else this.#pieceEnd = link;
    this.#newer = { row, link };
  }

  /** The piece ends where the one before it began. */
  endPiece(): void {
    if (this.#newer) this.#checkLink(this.#newer, this.#end);
    this.#end = this.#pieceEnd ?? this.#end;
    this.#newer = undefined;
    this.#pieceEnd = undefined;
  }

  /** Where the chain ends as far as it was taken. */
  get end(): Link {
    return this.#end;
  }

  /** Entries that are damaged and of which no repair knows, by number. */
  get damaged(): ChainedEntry[] {
    return this.#open().map(({ row }) => row);
  }

  get faults(): LedgerFault[] {
    return this.#open().flatMap(({ faults }) => faults);
  }

  #open(): Damage[] {
    return [...this.#damaged.values()].filter(({ row }) => !this.#repairs.has(repairEntryId(row)));
  }

  #checkEntry(row: ChainedEntry, { accountId, microcredits, receipt }: WrittenEntry): void {
    if (accountId !== this.#accountId)
      this.#tell(row, { what: 'account', recorded: accountId, recomputed: this.#accountId });
    // Balances that are held may stop a charge short of its cost, and nothing makes it more.
    const cost = receipt ? costOfTokens(receipt.tokens, receipt.rates) : undefined;
    if (cost !== undefined && microcredits > cost)
      this.#tell(row, { what: 'charge', recorded: microcredits, recomputed: cost });
  }

  #checkLink({ row, link }: { row: ChainedEntry; link: Link }, older: Link): void {
    if (row.previous !== older.number)
      this.#tell(row, { what: 'previous number', recorded: row.previous, recomputed: older.number });
    const hash = hashEntry(older.hash, row.id, row.text);
    if (row.hash !== hash) this.#tell(row, { what: 'hash', recorded: row.hash, recomputed: hash });
    // One that cannot be read has the place between its neighbours.
    if (older.sequence === undefined)
      older.sequence = link.sequence === undefined ? undefined : link.sequence - 1;
    if (older.sequence === undefined) return;
    link.sequence ??= older.sequence + 1;
    if (link.sequence !== older.sequence + 1)
      this.#tell(row, { what: 'sequence', recorded: link.sequence, recomputed: older.sequence + 1 });
  }

  #tell(row: ChainedEntry, { what, ...values }: Omit<LedgerFault, 'accountId'>): void {
    let damage = this.#damaged.get(row.number);
    if (!damage) {
      if (this.#damaged.size >= this.#mostDamaged) return;
      damage = { row, faults: [] };
      this.#damaged.set(row.number, damage);
    }
    damage.faults.push({ accountId: this.#accountId, what: `${what} of entry ${row.id}`, ...values });
  }
}
