import { MAX_TOKENS } from '../canonical/usage.ts';

/**
 * Reads a token count: a whole number within the possible range.
 * A fraction is rounded down, since half a token cannot be charged.
 */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MAX_TOKENS ? Math.floor(value) : undefined;
