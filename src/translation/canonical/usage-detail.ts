import type { MeteredUsage } from './metered.ts';
import type { CallPrice, FactorPrice, TokenPrice } from './price-name.ts';

/** Tokens as upstreams bill them. `input`: input that was not read from a cache. */
export type TokenCounts = { input: number; cachedInput: number; output: number };

/**
 * Tokens that the upstream reports apart from the answer's own: a compaction, the work of another model, or
 * images of a tool.
 */
export type SeparateTokens = TokenCounts & {
  kind: 'compaction' | 'advisor' | 'fallback' | 'image' | 'other';
  /** The upstream's name of the model. Undefined if the report does not name it. */
  model?: string | undefined;
  /** The answer's own counts include these tokens. */
  isIncluded: boolean;
};

/** The price of a hosted call, or of a part of the tokens. */
export type CountName = CallPrice | TokenPrice;

/** Calls of hosted tools, and parts of the token counts that can have a price of their own. */
export type DetailCounts = Readonly<Partial<Record<CountName, number>>>;

/** The part of an upstream's report beyond input, cached input and output. Most reports have no such part. */
export type UsageDetail = {
  counts?: DetailCounts | undefined;
  /** The upstream's way of serving the request, if it differs from the default. */
  factors?: readonly FactorPrice[] | undefined;
  /** The tokens apart from the answer's own. */
  separate?: readonly SeparateTokens[] | undefined;
  /** The names of paid usage that no price can name. */
  others?: readonly string[] | undefined;
  /** The quantities that a metered endpoint bills. */
  metered?: MeteredUsage | undefined;
};
