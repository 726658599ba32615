/** An account at one provider: how many places it holds there, and how many of its requests wait for one. */
export type SlotHolder = { held: number; waiting: number };

/** Up to so many accounts are known though they do nothing: most come again, and finding one is cheaper than making one. */
const MOST_IDLE = 1_000;

/** The accounts that hold places at one provider or wait for them. */
export class Holders {
  #byAccount = new Map<string, SlotHolder>();
  #active = 0;

  /** How many accounts hold a place or wait for one. */
  get active(): number {
    return this.#active;
  }

  of(account: string): SlotHolder {
    const known = this.#byAccount.get(account);
    if (known) return known;
    if (this.#byAccount.size > MOST_IDLE + 2 * this.#active) this.#dropIdle();
    const holder: SlotHolder = { held: 0, waiting: 0 };
    this.#byAccount.set(account, holder);
    return holder;
  }

  holds(holder: SlotHolder): void {
    if (holder.held++ === 0 && holder.waiting === 0) this.#active++;
  }

  holdsNoMore(holder: SlotHolder): void {
    if (--holder.held === 0 && holder.waiting === 0) this.#active--;
  }

  waits(holder: SlotHolder): void {
    if (holder.waiting++ === 0 && holder.held === 0) this.#active++;
  }

  waitsNoMore(holder: SlotHolder): void {
    if (--holder.waiting === 0 && holder.held === 0) this.#active--;
  }

  /** A new map: the old one would keep what is deleted from it until a full collection. */
  #dropIdle(): void {
    const active = [...this.#byAccount].filter(([, { held, waiting }]) => held > 0 || waiting > 0);
    this.#byAccount = new Map(active);
  }
}
