import { hash } from 'node:crypto';

/** Before an account's first entry. */
export const NO_HASH = '';

/** Of an entry behind another one: its id and its text as they are kept. No id has the bracket that a text begins with. */
export const hashEntry = (previousHash: string, id: string, text: string): string =>
  hash('sha256', previousHash + id + text, 'hex');
