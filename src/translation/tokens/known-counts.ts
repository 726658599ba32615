import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import type { TextBag } from './text-bag.ts';

/** A text without a known count. `key`: the key to store the count under. */
export type MissingText = { text: string; times: number; key: string };

/** Enough for the open conversations of a busy server, at about 100 bytes each. */
const MAX_KEPT = 50_000;

/**
 * Returns a cryptographic digest. With a weaker one, a client could craft two texts with one digest and get
 * the lower hold for both.
 */
const digestOf = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64');

/**
 * Counts of texts that were counted before, because an agent sends its whole conversation with every turn.
 * Long texts are stored by their digest, so that no prompt is kept.
 */
class CountsOfVocabulary {
  readonly #short = new Map<string, number>();
  readonly #long = new Map<string, number>();

  /** Sums the known counts, and lists the texts without one. */
  sumOf({ short, long }: TextBag): { sum: number; missing: MissingText[] } {
    const missing: MissingText[] = [];
    let sum = 0;
    for (const [text, times] of short) {
      const count = this.#short.get(text);
      if (count === undefined) missing.push({ text, times, key: text });
      else sum += count * times;
    }
    for (const text of long) {
      const key = digestOf(text);
      const count = this.#long.get(key);
      if (count === undefined) missing.push({ text, times: 1, key });
      else sum += count;
    }
    return { sum, missing };
  }

  /** Keeps the counts of texts that were missing, in the same order. */
  learn(counted: readonly MissingText[], counts: readonly number[]): void {
    for (const [at, { text, key }] of counted.entries())
      keep(key === text ? this.#short : this.#long, key, counts[at]!);
  }
}

/** Stores a count. If there are too many, all are cleared; those in use are soon counted again. */
function keep(counts: Map<string, number>, key: string, count: number): void {
  if (counts.size >= MAX_KEPT) counts.clear();
  counts.set(key, count);
}

/** The counts that are known, by vocabulary. */
export class KnownCounts {
  readonly #byVocabulary = new Map<VocabularyName, CountsOfVocabulary>();

  countsIn(vocabulary: VocabularyName): CountsOfVocabulary {
    const existingCounts = this.#byVocabulary.get(vocabulary);
    if (existingCounts) return existingCounts;
    const counts = new CountsOfVocabulary();
    this.#byVocabulary.set(vocabulary, counts);
    return counts;
  }
}
