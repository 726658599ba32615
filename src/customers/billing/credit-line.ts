import type { CreditEntry } from './credit-entries.ts';

/** The sum of the usage between two other entries. */
export type UsageLine = {
  kind: 'usage';
  balance: 'monthly' | 'purchased';
  from: number;
  to: number;
  requests: number;
  microcredits: number;
  /** The purchased credit after the line. */
  purchasedMicrocredits: number;
};

/** A change of an account's credit, with the purchased credit after it. */
export type CreditLine = { kind: 'entry'; entry: CreditEntry; purchasedMicrocredits: number } | UsageLine;

/** The place where the next page begins. */
export type CreditCursor = {
  /** The last entry that was read. */
  after: string;
  /** The purchased credit before the entries that were read. */
  purchasedMicrocredits: number;
};
