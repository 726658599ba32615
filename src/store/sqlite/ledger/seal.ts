import { hash } from 'node:crypto';

/** Kept beside values that no entry can be asked about, so that a change of one of them is found. */
export const sealOf = (...values: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(values), 'hex');

/** In the place of a seal that was found broken, until the store is repaired. */
export const BROKEN_SEAL = 'broken';
