/** The end of an account's chain of entries. */
export type ChainHead = { number: number; sequence: number; hash: string };

/** The head of an account without entries. */
export const NO_HEAD: ChainHead = { number: 0, sequence: 0, hash: '' };
