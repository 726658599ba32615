/** The limits of a plan, and the limits that a key has of its own. */
export type LimitFaultKind =
  | 'requests'
  | 'long-requests'
  | 'network'
  | 'tokens'
  | 'concurrent'
  | 'reads'
  | 'key-requests'
  | 'key-tokens'
  | 'key-concurrent';

/** The limit that refuses a request, and the time until it would admit the request. */
export type LimitFault = {
  kind: LimitFaultKind;
  waitMs: number;
  /** The taken part of the limit, if it is known. */
  used?: number | undefined;
};

/** The end of a running request is unknown. This wait is a typical one. */
export const CONCURRENCY_WAIT_MS = 1_000;
