import { MOST_TOKENS } from '../canonical/usage.ts';
/** A whole number: of half a token nobody can be told, and nothing be charged; nor of more than there can be. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MOST_TOKENS ? Math.floor(value) : undefined;
