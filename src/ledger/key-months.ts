import type { HoldOrder } from './hold.ts';

type Month = HoldOrder['month'];
export type KeyOfMonth = { keyId: string; month: Month };

/** What a key has spent in a calendar month, and what is held of its cap. */
export type KeyMonth = { used: number; held: number };

/** The months of an account's keys, each loaded when it is first asked for: before anything that is on its way to the store adds to it. */
export class KeyMonths {
  readonly #load: (keyId: string, month: Month) => number;
  readonly #kept = new Map<string, KeyMonth>();
  #newest = 0;

  constructor(load: (keyId: string, month: Month) => number) {
    this.#load = load;
  }

  of({ keyId, month }: KeyOfMonth): KeyMonth {
    const name = `${keyId} ${month.startsAt}`;
    const known = this.#kept.get(name);
    if (known) return known;
    if (month.startsAt > this.#newest) this.#begin(month);
    const loaded = { used: this.#load(keyId, month), held: 0 };
    this.#kept.set(name, loaded);
    return loaded;
  }

  /** Earlier months are asked for by requests that are under way, and by nobody else. */
  #begin({ startsAt }: Month): void {
    this.#newest = startsAt;
    for (const [name, { held }] of this.#kept) if (held === 0) this.#kept.delete(name);
  }
}
