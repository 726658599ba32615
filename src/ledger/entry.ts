import type { CountedTokens } from './cost-of-usage.ts';
import type { Rates } from './rates.ts';

export type EntryKind = 'usage' | 'grant' | 'purchase' | 'renewal' | 'adjustment';

/**
 * How the request ended that an entry is for. `left`: its client did not wait for the end. `failed`: an error of the request's own ended it
 * after a part was delivered. `recovered`: the server ended before it did.
 */
export type Outcome = 'complete' | 'left' | 'failed' | 'recovered';

/** A call of a provider: `answered`, or the code of why it did not. */
export type Attempt = { provider: string; model: string; outcome: string };

/** What a request was charged for, enough to recompute it. */
export type Receipt = {
  keyId: string;
  requestId: string;
  model: string;
  servedModel: string;
  tokens: CountedTokens;
  rates: Rates;
  /** What had been held for it. */
  heldMicrocredits: number;
  /** Calls of providers, and the first of them. */
  attempts: number;
  tried: Attempt[];
  outcome: Outcome;
  /** Counted by us, since the upstream did not. */
  isEstimated: boolean;
};

/** A line of an account's ledger. Lines are added and never changed. */
export type Entry = {
  id: string;
  accountId: string;
  /** Of a usage entry when its request was admitted, which decides the period, the month and the hour that it counts to. */
  at: number;
  kind: EntryKind;
  /** The balance that it is for. */
  period: string;
  /** Spent by usage; given, or taken where negative, by the rest. */
  microcredits: number;
  receipt: Receipt | null;
  reason: string | null;
};

/** An entry in its place: `hash` is over itself and the account's previous one. */
export type WrittenEntry = Entry & {
  sequence: number;
  hash: string;
  /** The process ended at about the time at which the answer's last byte should have left: nobody knows whether it did. */
  isUnconfirmed?: boolean;
};
