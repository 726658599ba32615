/**
 * The figures behind a refusal, for its record. They explain it to the owner of the account. Amounts are in
 * micro-credits.
 */
export type RefusalFacts = {
  /** The limit that refused the request, for example `key-cap-reached` or `requests`. */
  bound: string;
  /** The limit, and how much of it was used when the request was refused. */
  limit?: number | null;
  used?: number;
  /** The least amount that the request would have added. */
  asked?: number;
  /** The length of the window in seconds. */
  window_s?: number;
  /** The time at which the limit would admit the request or starts anew, in milliseconds since 1970. */
  resets_at?: number | null;
  /** The wait that the request would have needed, if no time is known. */
  wait_ms?: number;
};
