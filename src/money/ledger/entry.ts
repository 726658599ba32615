import type { CountedTokens } from './cost-of-usage.ts';
import type { Rates } from './rates.ts';
import type { Shortfall } from './shortfall.ts';

export type EntryKind = 'usage' | 'grant' | 'purchase' | 'renewal' | 'adjustment';

/**
 * How the request ended that an entry is for. `left`: its client went away. `recovered`: the server ended before it did. `failed`: the
 * request itself was at fault, after a part of its answer had been delivered.
 */
export type Outcome = 'complete' | 'left' | 'recovered' | 'failed';

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
  /** The pattern of the route that the request came by. Entries of earlier versions have none of what follows. */
  endpoint?: string | undefined;
  /** When it was settled, or last seen under way by a server that ended. */
  endedAt?: number | undefined;
  /** The most output tokens that an answer could have; null: it has none. */
  outputCeiling?: number | null | undefined;
  /** Where less is charged than the list cost. */
  shortfall?: Shortfall | undefined;
  /** The part of the charge that is beyond the key's cap, and does not count in the key's month. */
  beyondCapMicrocredits?: number | undefined;
  /** The upstream reported more tokens than the request can have used; these are the most that it can. */
  isImplausible?: boolean | undefined;
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
  /** Somebody has changed its row. Nothing but its id and its hash is known. */
  isUnreadable?: boolean;
};
