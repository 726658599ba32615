import { calendarMonth } from './calendar-month.ts';
import { costOfTokens } from './cost-of-usage.ts';
import type { Receipt, WrittenEntry } from './entry.ts';
import { type KeptEntry, readEntry } from './entry-text.ts';
import { hashEntry, NO_HASH } from './hash-entry.ts';
import type { LedgerFault } from './ledger-fault.ts';

type Sums = Map<string, number>;
export type RecordedSums = {
  /** By period. */
  used: Sums;
  granted: Sums;
  /** Of the roll-ups, by key: those by the hour, and those by the day. */
  spent: Sums;
  spentByDay: Sums;
  /** What was charged beyond a key's cap, by `keyMonthName`. */
  beyondCap: Sums;
};

/** A key in the calendar month that starts then. */
export const keyMonthName = (keyId: string, startsAt: number): string =>
  `${keyId} in the month from ${startsAt}`;

const add = (sums: Sums, name: string, amount: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + amount);

/** Adds up an account's entries in order, and finds the first break of their chain. */
export class AccountRecomputation {
  readonly #accountId: string;
  readonly #sums = {
    used: new Map() as Sums,
    granted: new Map() as Sums,
    spent: new Map() as Sums,
    beyondCap: new Map() as Sums,
  };
  readonly #faults: LedgerFault[] = [];
  #hash = NO_HASH;
  #isBroken = false;
  entries = 0;
  /** Of the last entry that was taken. */
  sequence = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  take(kept: KeptEntry): void {
    const entry = readEntry(kept);
    this.entries += 1;
    this.sequence += 1;
    this.#checkChain(kept, entry?.sequence);
    this.#hash = kept.hash;
    if (!entry) return;
    this.sequence = entry.sequence;
    if (entry.kind === 'usage') {
      add(this.#sums.used, entry.period, entry.microcredits);
      if (entry.receipt) this.#takeReceipt(entry, entry.receipt);
    } else if (entry.kind !== 'renewal') add(this.#sums.granted, entry.period, entry.microcredits);
  }

  compare(recorded: RecordedSums): LedgerFault[] {
    const { used, granted, spent, beyondCap } = this.#sums;
    this.#compareSums('used', recorded.used, used);
    this.#compareSums('granted', recorded.granted, granted);
    this.#compareSums('spent', recorded.spent, spent);
    this.#compareSums('spent by day', recorded.spentByDay, spent);
    this.#compareSums('beyond the cap', recorded.beyondCap, beyondCap);
    return this.#faults;
  }

  /** Whatever follows a break has other hashes too: one is enough to say. */
  #checkChain({ id, text, hash }: KeptEntry, sequence: number | undefined): void {
    const recomputed = hashEntry(this.#hash, id, text);
    if (this.#isBroken || (sequence === this.sequence && hash === recomputed)) return;
    this.#isBroken = true;
    this.#tell(`hash of entry ${id}`, hash, recomputed);
  }

  /** Balances that are held may stop a charge short of its cost, and nothing makes it more. */
  #takeReceipt({ id, at, microcredits }: WrittenEntry, receipt: Receipt): void {
    const { keyId, tokens, rates, beyondCapMicrocredits: beyond = 0 } = receipt;
    add(this.#sums.spent, keyId, microcredits);
    if (beyond > 0) add(this.#sums.beyondCap, keyMonthName(keyId, calendarMonth(at).startsAt), beyond);
    const cost = costOfTokens(tokens, rates);
    if (microcredits > cost) this.#tell(`charge of entry ${id}`, microcredits, cost);
  }

  #compareSums(name: string, recorded: Sums, counted: Sums): void {
    for (const key of new Set([...recorded.keys(), ...counted.keys()])) {
      const [wrote, sum] = [recorded.get(key) ?? 0, counted.get(key) ?? 0];
      if (wrote !== sum) this.#tell(`${name} of ${key}`, wrote, sum);
    }
  }

  #tell(what: string, recorded: string | number, recomputed: string | number): void {
    this.#faults.push({ accountId: this.#accountId, what, recorded, recomputed });
  }
}
