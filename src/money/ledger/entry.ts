import type { SpendLabels } from '../budgets/spend-labels.ts';
import type { ChargeDetail } from './charge-detail.ts';
import type { CountedTokens } from './cost-of-usage.ts';
import type { Rates } from './rates.ts';
import type { Shortfall } from './shortfall.ts';

/** `usage`: a charge. `renewal`: the start of a period. The others give or take credit. */
export type EntryKind = 'usage' | 'grant' | 'purchase' | 'renewal' | 'adjustment';

/**
 * The outcome of a request. `left`: the client disconnected. `recovered`: the server ended first. `failed`:
 * the request failed after part of its answer was delivered.
 */
export type Outcome = 'complete' | 'left' | 'recovered' | 'failed';

/** A call to a provider. The outcome is `answered` or the error code. */
export type Attempt = { provider: string; model: string; outcome: string };

/** The details of a charge, sufficient to recompute it. */
export type Receipt = {
  keyId: string;
  requestId: string;
  model: string;
  servedModel: string;
  tokens: CountedTokens;
  rates: Rates;
  /** The amount that was held. */
  heldMicrocredits: number;
  /** The number of calls to providers. */
  attempts: number;
  /** The first of those calls. */
  tried: Attempt[];
  outcome: Outcome;
  /** The gateway estimated the tokens, since the upstream did not count them. */
  isEstimated: boolean;
  /**
   * The route pattern of the request.
   * Entries of earlier versions have this field and the following ones unset.
   */
  endpoint?: string | undefined;
  /** The time of settlement, or the last checkpoint if the server ended before that. */
  endedAt?: number | undefined;
  /** The output ceiling of the request. `null` means no ceiling. */
  outputCeiling?: number | null | undefined;
  /** The part of the list cost that is not charged. Undefined if everything is charged. */
  shortfall?: Shortfall | undefined;
  /** The part of the charge beyond the key's cap, which does not count in the key's month. */
  beyondCapMicrocredits?: number | undefined;
  /**
   * The upstream reported more tokens than the request can have used. The receipt has the possible maximum.
   */
  isImplausible?: boolean | undefined;
  /** The simulator answered in place of the provider. Its rates are zero. */
  isSimulated?: boolean | undefined;
  /** The dimensions of the charge beyond the three rates. The tokens include those of other models. */
  detail?: ChargeDetail | undefined;
  /** The price row that decided the rates. Undefined if it is the base row. */
  priceRow?: string | undefined;
  /** The labels for which budgets count the charge apart from its key. Undefined if there are none. */
  labels?: SpendLabels | undefined;
};

/** A line of an account's ledger. Lines are appended and never changed. */
export type Entry = {
  id: string;
  accountId: string;
  /** For usage, the time of admission. It decides the period, month and hour that the entry counts in. */
  at: number;
  kind: EntryKind;
  /** The id of the balance. */
  period: string;
  /** The amount spent by a usage entry. Other kinds give this amount, or take it if it is negative. */
  microcredits: number;
  receipt: Receipt | null;
  reason: string | null;
  /** The key whose month the entry changes. Undefined except for the difference to an estimate. */
  keyDifference?: KeyDifference | undefined;
};

/** The change of a key's month. `at` is the admission of the estimated request, and decides the month. */
export type KeyDifference = { keyId: string; at: number; microcredits: number };

/** An entry in its chain. `hash` covers the entry and the hash of the account's previous entry. */
export type WrittenEntry = Entry & {
  sequence: number;
  hash: string;
  /** The process ended at about the time of the answer's last byte, so delivery is unknown. */
  isUnconfirmed?: boolean;
  /** The row was changed outside the gateway. Only its id and hash are known. */
  isUnreadable?: boolean;
};
