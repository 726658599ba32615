import { RandomDraws } from '../../../base/lib/testing/random-draws.ts';

/** Random lists and members that depend only on the seed. */
export class RandomSource extends RandomDraws {
  /** Makes a list of up to `most` values. */
  list<Value>(most: number, make: (index: number) => Value): Value[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }

  /** Returns the members, or none of them in half of the cases. The caller has evaluated them in any case. */
  maybe<Members extends object>(members: Members): Members | Record<never, never> {
    return this.chance() ? members : {};
  }
}
