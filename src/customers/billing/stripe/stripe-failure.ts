import type { StripePayment } from './stripe-objects.ts';

/** A refusal of the Stripe API, or a failure on the way to it. */
export class StripeFailure extends Error {
  /** The HTTP status. It is 0 if no answer arrived. */
  readonly status: number;
  readonly code: string | null;
  /** The payment that failed, if the call made one. */
  readonly payment: StripePayment | null;

  constructor(reported: {
    status: number;
    message: string;
    code?: string | null;
    payment?: StripePayment | null;
  }) {
    super(reported.message);
    this.status = reported.status;
    this.code = reported.code ?? null;
    this.payment = reported.payment ?? null;
  }

  /** True if the bank refused the payment. The same call fails again. */
  get isDeclined(): boolean {
    return this.status === 402;
  }

  /** True if the call itself is wrong. Otherwise a later call can succeed. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 409 && this.status !== 429;
  }
}

/** Handles the rejection of a call whose answer the caller can do without. Other errors are thrown. */
export function undefinedIfStripeFails(error: unknown): undefined {
  if (!(error instanceof StripeFailure)) throw error;
}
