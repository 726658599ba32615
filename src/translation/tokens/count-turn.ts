import type { Countable } from './countable.ts';
import type { CountedModel } from './token-family.ts';
import type { VocabularyName } from './vocabulary.ts';

/** What can be counted: a text, or media whose length needs a look into them. */
export type CountPart = string | Exclude<Countable, { kind: 'text' }>;

/** What the counting thread does before another caller's job has its turn. */
export type CountTurn = {
  parts: readonly CountPart[];
  /** The last part is the beginning of a longer text. */
  goesOn: boolean;
  vocabulary: VocabularyName;
  /** Whose rules the media follow; undefined where there are only texts. */
  model: CountedModel | undefined;
  /** What a cut in the middle of a word adds, since it may make a token less of it. */
  perCut: 0 | 1;
  forMs: number;
};

/** The tokens of each part that the thread came to, the last of which it read up to `read`. */
export type TurnCounts = { tokens: number[]; read: number; tookMs: number };

/** What comes back; undefined where counting failed. */
export type TurnReply = { counted: TurnCounts | undefined };
