import {
  CAPITALS,
  isLower,
  kindOf,
  kindsInRuns,
  LETTERS,
  NEWLINE,
  RUN_KINDS,
  RUNS,
  SPACED,
  seedAfter,
} from '../../src/translation/tokens/character-kinds.ts';
import { hashOf, isKnown, MAX_KNOWN } from '../../src/translation/tokens/estimate-weights.ts';
import { type FeaturePair, pairFeatures, repeatFeatures, wordFeatures } from './feature-numbers.ts';

/** A letter of a word, and the character before it, by their kinds. */
type Letter = { before: number; kind: number };

/** Counts the features of a text, which it reads as `estimateText` does. */
class FeatureCounter {
  readonly counts = new Map<number, number>();
  readonly #known: Uint8Array;
  /** The kind of the character before. A text begins like a line. */
  #before = NEWLINE;
  #lastUnit = -1;
  #word: Letter[] = [];
  #hash = 0;

  constructor(known: Uint8Array) {
    this.#known = known;
  }

  addUnit(unit: number): void {
    const kind = kindOf[unit]!;
    const beginsWord = kind >= CAPITALS && isLower[this.#before];
    if (kind >= LETTERS || beginsWord) this.endWord();
    this.#before = kind < LETTERS ? this.#addLetter(unit, kind) : this.#addSign(unit, kind);
    this.#lastUnit = unit;
  }

  /** Counts the letters of the word so far, which are one feature if the word is known. */
  endWord(): void {
    const [first] = this.#word;
    if (first === undefined) return;
    const canBeKnown = this.#word.length <= MAX_KNOWN && this.#before >= SPACED;
    if (canBeKnown && isKnown(this.#known, this.#hash)) this.#count(wordFeatures(first.before));
    else for (const { before, kind } of this.#word) this.#count(pairFeatures(before, kind));
    this.#word = [];
  }

  /** Returns the kind of the letter. */
  #addLetter(unit: number, kind: number): number {
    this.#hash = hashOf(this.#word.length === 0 ? seedAfter[this.#before]! : this.#hash, unit);
    this.#word.push({ before: this.#before, kind });
    return kind;
  }

  /** Returns the kind of the sign at its place in a run. */
  #addSign(unit: number, ownKind: number): number {
    const kind = ownKind < RUNS ? ownKind : kindsInRuns[this.#before * RUN_KINDS + ownKind - RUNS]!;
    this.#count(unit === this.#lastUnit ? repeatFeatures(kind) : pairFeatures(this.#before, kind));
    return kind;
  }

  #count(features: FeaturePair): void {
    for (const feature of features) this.counts.set(feature, (this.counts.get(feature) ?? 0) + 1);
  }
}

/** Returns the number of times that a text has each feature. `known` has the bits of the known words. */
export function countFeatures(text: string, known: Uint8Array): Map<number, number> {
  const counter = new FeatureCounter(known);
  for (let index = 0; index < text.length; index++) counter.addUnit(text.charCodeAt(index));
  counter.endWord();
  return counter.counts;
}
