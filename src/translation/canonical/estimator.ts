import type { BillingBounds } from './bound-usage.ts';
import type { Usage } from './usage.ts';
import type { VocabularyName } from './vocabulary-name.ts';

/** The published vocabulary of a maker's models, and their token count relative to it. */
export type TextFamily = { vocabulary: VocabularyName; textFactor: number };

/** Estimates the input tokens of a request. */
export interface InputEstimator {
  /** Returns the input tokens of the request. */
  input(): number;
}

/** Estimates the usage of an answer from its request. */
export interface UsageEstimator extends InputEstimator {
  /** The most tokens that the whole answer can have. It is absent if nothing limits the answer. */
  maxText?: number;
}

/** Estimates the tokens of texts that a model wrote. */
export interface TextEstimator {
  text(text: string): number;
}

/** Limits what a reported usage can cost. */
export interface BillingLimits {
  /**
   * Returns a usage as it is billed and shown to the client: cut to what is possible.
   * It is absent if every usage is billed as it is.
   */
  billed?(usage: Usage): Usage;
  /** Returns the bounds within which `billed` cuts. */
  bounds?(): BillingBounds | undefined;
}

/**
 * Estimates the tokens that an upstream uses and does not report.
 * A thread that reads a large answer gets `bounds` and `family`, and makes the same estimator of them.
 */
export interface Estimator extends UsageEstimator, TextEstimator, BillingLimits {
  /** The vocabulary by which `text` estimates. It is absent in estimators that no thread copies. */
  family?: TextFamily;
}
