import type { BillingBounds } from './bound-usage.ts';
import type { Usage } from './usage.ts';

/** Counts about as many tokens as the upstream would, where it does not count itself. */
export type Estimator = {
  /** Of the request. */
  input(): number;
  /** Of a text that the model wrote. */
  text(text: string): number;
  /** The most tokens that the whole answer can be, where it was asked for with a ceiling. */
  mostText?: number;
  /** What is billed, and shown to the client, of a usage that is known. It differs where an upstream reported more than there can be. */
  billed?(known: Usage): Usage;
  /** What `billed` goes by, for a thread that must do the same. */
  bounds?(): BillingBounds | undefined;
  /** What `text` goes by, for a thread that must do the same. */
  family?: { vocabulary: string; textFactor: number };
};
