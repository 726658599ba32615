import type { Countable } from './countable.ts';
import type { CountedModel } from './token-family.ts';

/** What goes to the thread that counts. */
export type CountJob = { countables: readonly Countable[]; model: CountedModel };

/** What comes back; undefined where it failed. */
export type CountedJob = { tokens: number | undefined };
