import { seededRandom } from '../../../base/lib/testing/seeded-random.ts';

/** Random choices that depend only on the seed. */
export class RandomSource {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Returns an integer from 0 up to, and without, the bound. */
  below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  /** Returns true in half of the cases. */
  chance(): boolean {
    return this.below(2) === 0;
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Makes a list of up to `most` values. */
  list<Value>(most: number, make: (index: number) => Value): Value[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }

  /** Returns the members, or none of them in half of the cases. The caller has evaluated them in any case. */
  maybe<Members extends object>(members: Members): Members | Record<never, never> {
    return this.chance() ? members : {};
  }
}
