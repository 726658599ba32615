import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import type { Countable } from './countable.ts';
import type { CountedModel } from './find-token-family.ts';

/** A text, or media whose length depends on its content. */
export type CountPart = string | Exclude<Countable, { kind: 'text' }>;

/** The work of one turn of the counting thread. Another caller's task can have the next turn. */
export type CountTurn = {
  parts: readonly CountPart[];
  /** True if the last part continues after this turn. */
  goesOn: boolean;
  vocabulary: VocabularyName;
  /** The model whose rules apply to media. Undefined if there are only texts. */
  model: CountedModel | undefined;
  /** The tokens to add for each cut inside a word, because a cut can lower the count by one. */
  perCut: 0 | 1;
  /** The thread stops after the slice or part in which this time is over. */
  forMs: number;
};

export type TurnCounts = {
  /** The tokens of each part that the thread reached. */
  tokens: number[];
  /** The units of the last part that were counted. */
  read: number;
  tookMs: number;
};

/** The thread's reply. `counted` is undefined if counting failed. */
export type TurnReply = { counted: TurnCounts | undefined };
