export const usageSteps = ['hour', 'day'] as const;
export type UsageStep = (typeof usageSteps)[number];

/**
 * The columns that distinguish sums. `user` is the end user that the client named, and `code` an error code.
 */
export type UsageColumn = 'model' | 'key' | 'user' | 'code';

/** `from` is inclusive and `to` exclusive. Both count hours or days since 1970, as `step` says. */
export type SeriesQuestion<Column extends UsageColumn> = {
  accountId: string;
  step: UsageStep;
  from: number;
  to: number;
  /** The sums of each hour or day are distinguished by these columns. */
  by: readonly Column[];
  where: Partial<Record<Column, string>>;
};

/** The sums of one hour or day. Only the columns of the question are set. */
export type ChargeSeriesRow = {
  at: number;
  model?: string;
  key?: string;
  requests: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  microcredits: number;
};

/** `requests` counts charged requests, and `errors` those that ended with an error code. */
export type RequestSeriesRow = ChargeSeriesRow & { user?: string; code?: string; errors: number };

/**
 * The sums that the requests of one hour, key, model, end user and error code add. Texts without a value are
 * ''.
 */
export type RequestSum = Required<Omit<RequestSeriesRow, 'at'>> & { accountId: string; hour: number };

/**
 * The most end users that an account's sums distinguish in a day. Requests of further users count without a
 * user.
 */
export const MAX_USERS_A_DAY = 200;

/** The lifetimes of hourly and daily sums of requests. Sums of charges are kept as long as the ledger. */
export const HOURLY_DAYS = 35;
export const DAILY_DAYS = 400;

/** Sums of usage by hour and by day. No call reads ledger entries that are part of a sum. */
export interface UsageStore {
  /** Sums charges of the ledger. */
  chargeSeries(question: SeriesQuestion<'model' | 'key'>): Promise<ChargeSeriesRow[]>;
  /** Sums requests that named an end user or ended with an error. */
  requestSeries(question: SeriesQuestion<UsageColumn>): Promise<RequestSeriesRow[]>;
  /** Adds to the sums of hours and of their days in one write. */
  addRequestSums(sums: readonly RequestSum[], maxUsers: number): Promise<void>;
  /**
   * Removes up to `limit` sums of requests before an hour or before a day, and returns how many it removed.
   */
  sweepRequestSums(options: { hoursBefore: number; daysBefore: number; limit: number }): Promise<number>;
}
