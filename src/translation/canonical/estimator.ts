import type { BillingBounds } from './bound-usage.ts';
import type { Usage } from './usage.ts';

/** Estimates the tokens that an upstream uses, if the upstream does not report them. */
export type Estimator = {
  /** Returns the tokens of the request. */
  input(): number;
  /** Returns the tokens of a text that the model wrote. */
  text(text: string): number;
  /** The most tokens that the whole answer can have, if the request set a ceiling. */
  maxText?: number;
  /**
   * Returns the billed usage, which is also shown to the client. It differs from the known usage if an
   * upstream reported more than is possible.
   */
  billed?(known: Usage): Usage;
  /** The data that `billed` uses, for a thread that must compute the same. */
  bounds?(): BillingBounds | undefined;
  /** The data that `text` uses, for a thread that must compute the same. */
  family?: { vocabulary: string; textFactor: number };
};
