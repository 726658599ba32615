import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';

/**
 * Draws from a seed. Each input has draws of its own, so that one of them can be made again without those
 * before it.
 */
export class Draw {
  readonly #random: () => number;

  constructor(seed: number, input: number) {
    this.#random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(input + 1, 0x85ebca6b));
  }

  below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
