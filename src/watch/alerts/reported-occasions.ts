import type { Occasion } from './alert.ts';

/** Beyond this many occasions, all are forgotten. The store remembers them. */
const MAX_OCCASIONS = 10_000;

/** The occasions that this process has reported. */
export class ReportedOccasions {
  /** The ends of the occasions by name. */
  readonly #ends = new Map<string, number>();

  /** Returns the time at which the occasion may be reported again, or 0 if it was not reported. */
  endOf(name: string): number {
    return this.#ends.get(name) ?? 0;
  }

  add({ name, until }: Occasion): void {
    if (this.#ends.size >= MAX_OCCASIONS) this.#ends.clear();
    this.#ends.set(name, until ?? Number.POSITIVE_INFINITY);
  }

  /** Moves the end of an occasion to a later time. An occasion that was not reported is left out. */
  extend(name: string, until: number): void {
    const end = this.#ends.get(name);
    if (end !== undefined && end < until) this.#ends.set(name, until);
  }

  remove(name: string): void {
    this.#ends.delete(name);
  }
}
