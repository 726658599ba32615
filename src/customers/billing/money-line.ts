import type { MoneyEntry } from './money-entries.ts';

/** The amounts of all usage between two entries of money. */
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

/** A line of the list of what changed an account's credit. */
export type MoneyLine = { kind: 'entry'; entry: MoneyEntry; purchasedMicrocredits: number } | UsageLine;

/**
 * `after`: the last entry that was read.
 * `purchasedMicrocredits`: the balance before the entries that were read.
 */
export type MoneyCursor = { after: string; purchasedMicrocredits: number };
