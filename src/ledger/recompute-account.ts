import type { WrittenEntry } from './entry.ts';
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
};

const add = (sums: Sums, name: string, amount: number): void =>
  void sums.set(name, (sums.get(name) ?? 0) + amount);

/** Adds up an account's entries in order, and finds the first break of their chain. */
export class AccountRecomputation {
  readonly #accountId: string;
  readonly #sums = { used: new Map() as Sums, granted: new Map() as Sums, spent: new Map() as Sums };
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
    const { used, granted, spent } = this.#sums;
    this.#compareSums('used', recorded.used, used);
    this.#compareSums('granted', recorded.granted, granted);
    this.#compareSums('spent', recorded.spent, spent);
    this.#compareSums('spent by day', recorded.spentByDay, spent);
    return this.#faults;
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
