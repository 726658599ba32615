import type { Countable } from './countable.ts';
import type { CountedModel } from './token-family.ts';
import type { VocabularyName } from './vocabulary.ts';

/** What goes to the thread that counts: a prompt, or texts that are each to be told. */
export type CountJob =
  | { countables: readonly Countable[]; model: CountedModel }
  | { texts: readonly string[]; vocabulary: VocabularyName; most: number };

/** What comes back; undefined where it failed. */
export type CountedJob = { counted: number | TextBounds | undefined };

/** The most tokens of each text. The first `sure` of them are counted, the others taken for their bytes. */
export type TextBounds = { bounds: number[]; sure: number };
