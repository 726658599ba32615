import type { BillingBounds } from './bound-usage.ts';
import type { Usage } from './usage.ts';
import type { VocabularyName } from './vocabulary-name.ts';

/** The published vocabulary of a maker's models, and their token count relative to it. */
export type TextFamily = { vocabulary: VocabularyName; textFactor: number };

/**
 * Estimates the tokens that an upstream uses and does not report.
 * A thread that reads a large answer gets `bounds` and `family`, and makes the same estimator of them.
 */
export type Estimator = {
  /** Returns the input tokens of the request. */
  input(): number;
  /** Returns the tokens of a text that the model wrote. */
  text(text: string): number;
  /** The vocabulary by which `text` estimates. It is absent in estimators that no thread copies. */
  family?: TextFamily;
  /** The most tokens that the whole answer can have. It is absent if nothing limits the answer. */
  maxText?: number;
  /**
   * Returns a usage as it is billed and shown to the client: cut to what is possible.
   * It is absent if every usage is billed as it is.
   */
  billed?(usage: Usage): Usage;
  /** Returns the bounds within which `billed` cuts. */
  bounds?(): BillingBounds | undefined;
};
