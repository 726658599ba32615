/** A request of an operator or of Stripe to the gateway. */
export type OperatorRequest = {
  method: string;
  path: string;
  body?: unknown;
  /** The idempotency key. */
  key?: string | undefined;
  headers?: Record<string, string>;
};
