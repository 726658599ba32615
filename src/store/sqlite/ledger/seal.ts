import { hash } from 'node:crypto';

/** A checksum of values that cannot be recomputed from entries. It detects changes to them. */
export const sealOf = (...values: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(values), 'hex');

/** Replaces a seal that did not match, until the store is repaired. */
export const BROKEN_SEAL = 'broken';
