import { RandomDraws } from '../../../src/base/lib/testing/random-draws.ts';

/**
 * A source of random draws. Each purpose has its own, so that more draws for one do not change the others.
 */
export class Draws extends RandomDraws {
  constructor(seed: number, purpose: string) {
    super(Math.imul(seed, 0x9e3779b1) ^ Bun.hash.crc32(purpose));
  }

  /** A time in milliseconds that is mostly near the least, and seldom near the most. */
  skewed(least: number, most: number): number {
    return least + (most - least) * this.next() ** 4;
  }

  /** Chooses a row of a table by its weight. */
  row<T extends { weight: number }>(table: Readonly<Record<string, T>>): T {
    const weights = Object.entries(table).map(([name, { weight }]) => [name, weight] as const);
    return table[this.weighted(Object.fromEntries(weights))]!;
  }

  /** Chooses a name by weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const rows = Object.entries(weights) as [T, number][];
    let left = this.next() * rows.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of rows) {
      left -= weight;
      if (left < 0) return name;
    }
    return rows.at(-1)![0];
  }
}
