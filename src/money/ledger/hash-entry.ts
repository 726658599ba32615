import { hash } from 'node:crypto';

/** The previous hash of an account's first entry. */
export const NO_HASH = '';

/**
 * Hashes an entry: previous hash, id and text. Ids contain no bracket and texts begin with one, so the
 * boundary is unambiguous.
 */
export const hashEntry = (previousHash: string, id: string, text: string): string =>
  hash('sha256', previousHash + id + text, 'hex');
