import type { WrittenEntry } from './entry.ts';
import { hashEntry, NO_HASH } from './hash-entry.ts';
import type { LedgerFault } from './ledger-fault.ts';

type Sums = Map<string, number>;
export type RecordedSums = {
  /** By period. */
  used: Sums;
  granted: Sums;
  /** Of the roll-ups, by key. */
  spent: Sums;
};

const add = (sums: Sums, name: string, amount: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + amount);

/** Adds up an account's entries in order, and finds the first break of their chain. */
export class AccountRecomputation {
  readonly #accountId: string;
  readonly #sums: RecordedSums = { used: new Map(), granted: new Map(), spent: new Map() };
  readonly #faults: LedgerFault[] = [];
  #hash = NO_HASH;
  entries = 0;

  constructor(accountId: string) {
    this.#accountId = accountId;
  }

  take(entry: WrittenEntry): void {
    this.entries += 1;
    const hash = hashEntry(entry, this.entries, this.#hash);
    // Whatever follows a break has other hashes too: one is enough to say.
    if (hash !== entry.hash && this.#faults.length === 0)
      this.#tell(`hash of entry ${entry.id}`, entry.hash, hash);
    this.#hash = entry.hash;
    if (entry.kind === 'usage') {
      add(this.#sums.used, entry.period, entry.microcredits);
      if (entry.receipt) add(this.#sums.spent, entry.receipt.keyId, entry.microcredits);
    } else if (entry.kind !== 'renewal') add(this.#sums.granted, entry.period, entry.microcredits);
  }

  compare(recorded: RecordedSums): LedgerFault[] {
    for (const name of ['used', 'granted', 'spent'] as const) {
      for (const key of new Set([...recorded[name].keys(), ...this.#sums[name].keys()])) {
        const [wrote, counted] = [recorded[name].get(key) ?? 0, this.#sums[name].get(key) ?? 0];
        if (wrote !== counted) this.#tell(`${name} of ${key}`, wrote, counted);
      }
    }
    return this.#faults;
  }

  #tell(what: string, recorded: string | number, recomputed: string | number): void {
    this.#faults.push({ accountId: this.#accountId, what, recorded, recomputed });
  }
}
