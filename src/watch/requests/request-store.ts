/**
 * Records of requests of one account that ended at about the same time. One row for many requests keeps their
 * cost low.
 */
export type RequestGroup = {
  accountId: string;
  /** The end of the latest request, in milliseconds. */
  endedAt: number;
  /** The smallest and the largest id of its requests. */
  firstId: string;
  lastId: string;
  count: number;
  /** Lines of JSON, one for each request. The latest to end is last. */
  lines: string;
};

export type KeptGroup = RequestGroup & { sequence: number };

export type GroupQuery = {
  accountId?: string | undefined;
  /** Selects groups with a smaller sequence number. */
  before?: number | undefined;
  /** Selects groups with a larger sequence number. */
  after?: number | undefined;
  /** Selects groups that ended at or after this time. */
  endedFrom: number;
  /** Selects groups that ended before this time. */
  endedBefore?: number | undefined;
  /** Selects groups that may hold this id. */
  id?: string | undefined;
  limit: number;
};

export type RequestSweep = { endedBefore: number; limit: number; keptMs?: number };

/** Keeps the records of requests. */
export interface RequestStore {
  /**
   * Adds groups in one write. If an account then has more than `mostEach` records, the same write removes its
   * oldest groups.
   */
  addRequests(groups: readonly RequestGroup[], mostEach: number): Promise<void>;
  /** Returns groups, the latest first. */
  listRequests(query: GroupQuery): Promise<KeptGroup[]>;
  /**
   * Removes up to `limit` groups that ended before this time, and returns how many it removed. A store that
   * keeps the groups of a month together may drop more at once. If records are kept for months (`keptMs`), it
   * may keep them until their whole month has expired.
   */
  sweepRequests(options: RequestSweep): Promise<number>;
}
