import { Refusal } from '../../base/errors/refusal.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';

/** Refuses a payment on a server that is not connected to Stripe. */
export const withoutStripe = (): Refusal =>
  new Refusal('conflict', {
    message: 'This server takes no payments. Ask its operator for credit or another plan.',
  });

/**
 * Returns the refusal for a failed call of Stripe. The reason of a declined card is for the payer; other
 * reasons are for the operator. Other errors are thrown.
 */
export function refusalOfStripe(error: unknown): Refusal {
  if (!(error instanceof StripeFailure)) throw error;
  if (error.isDeclined)
    return new Refusal('conflict', { message: `The payment was declined. ${error.message}` });
  return new Refusal('capacity_unavailable', {
    message: 'The payment service cannot be used at the moment. Nothing was charged. Try again later.',
    cause: error,
  });
}
