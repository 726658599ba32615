/** The slots that an account holds at one provider, and the number of its requests that queue for one. */
export type SlotHolder = { held: number; waiting: number };

/**
 * The number of idle accounts that are kept. Most accounts return, and a look-up is cheaper than a new
 * record.
 */
const MAX_IDLE = 1_000;

/** Tracks the accounts that hold slots at one provider or queue for them. */
export class Holders {
  #byAccount = new Map<string, SlotHolder>();
  #active = 0;

  /** The number of accounts that hold a slot or queue for one. */
  get active(): number {
    return this.#active;
  }

  of(account: string): SlotHolder {
    const existingHolder = this.#byAccount.get(account);
    if (existingHolder) return existingHolder;
    if (this.#byAccount.size > MAX_IDLE + 2 * this.#active) this.#dropIdle();
    const holder: SlotHolder = { held: 0, waiting: 0 };
    this.#byAccount.set(account, holder);
    return holder;
  }

  heldBy(account: string): number {
    return this.#byAccount.get(account)?.held ?? 0;
  }

  acquire(holder: SlotHolder): void {
    if (holder.held++ === 0 && holder.waiting === 0) this.#active++;
  }

  release(holder: SlotHolder): void {
    if (--holder.held === 0 && holder.waiting === 0) this.#active--;
  }

  enqueue(holder: SlotHolder): void {
    if (holder.waiting++ === 0 && holder.held === 0) this.#active++;
  }

  dequeue(holder: SlotHolder): void {
    if (--holder.waiting === 0 && holder.held === 0) this.#active--;
  }

  /** Copies the map, since the old one would keep deleted entries alive until a full collection. */
  #dropIdle(): void {
    const active = [...this.#byAccount].filter(([, { held, waiting }]) => held > 0 || waiting > 0);
    this.#byAccount = new Map(active);
  }
}
