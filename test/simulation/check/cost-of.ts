import { MICROCREDITS_PER_TOKEN_USD } from '../gateway/configuration.ts';
import type { Usage } from '../vendors/vendor-answer.ts';

type Price = { input: number; cached_input?: number; output: number };

/** Returns the micro-credits of a usage. Cached input without a price costs the same as other input. */
export function costOf(price: Price, { input, cached, output }: Usage): number {
  const ofCached = cached * (price.cached_input ?? price.input);
  return ((input - cached) * price.input + ofCached + output * price.output) * MICROCREDITS_PER_TOKEN_USD;
}
