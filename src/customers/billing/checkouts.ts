import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { applyCheckout, type CheckoutState } from './apply-checkout.ts';
import type { BillingParts } from './billing-parts.ts';
import { customerOf } from './customers.ts';
import { newRecord } from './new-record.ts';
import type { FormValue } from './stripe/form-fields.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeCheckout } from './stripe/stripe-objects.ts';
import { refusalOfStripe, withoutStripe } from './stripe-refusals.ts';

/** The first look at a checkout for which no message has arrived. */
const FIRST_LOOK_MS = 60_000;

/** The page at Stripe that the browser goes to. */
export type CheckoutPage = { url: string };

/** Checkouts at Stripe: pages on which a person pays. */
export class Checkouts {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /** Makes a checkout. Stripe sends the browser back to `origin`. */
  async begin(
    account: Account,
    origin: string,
    fields: Record<string, FormValue>,
  ): Promise<CheckoutPage | Refusal> {
    const { stripe, store, clock } = this.#parts;
    if (!stripe.isReady) return withoutStripe();
    try {
      const customer = await customerOf(this.#parts, account);
      const checkout = await stripe.post<StripeCheckout>('/v1/checkout/sessions', {
        fields: {
          ...fields,
          customer: customer.reference,
          client_reference_id: account.id,
          success_url: `${origin}/billing?checkout={CHECKOUT_SESSION_ID}`,
          cancel_url: `${origin}/billing`,
        },
      });
      const now = clock.now();
      await store.addBilling(
        newRecord({
          kind: 'checkout',
          id: checkout.id,
          accountId: account.id,
          dueAt: now + FIRST_LOOK_MS,
          createdAt: now,
          body: { attempts: 0, outcome: 'open' },
        }),
      );
      // An open checkout has a page.
      return { url: checkout.url! };
    } catch (error) {
      return refusalOfStripe(error);
    }
  }

  /** Applies a checkout at once for the browser that returns from it. */
  async confirm(accountId: string, checkoutId: string): Promise<CheckoutState | Refusal> {
    if (!this.#parts.stripe.isReady) return withoutStripe();
    try {
      const state = await applyCheckout(this.#parts, checkoutId, accountId);
      return state ?? unknownCheckout();
    } catch (error) {
      if (error instanceof StripeFailure && error.status === 404) return unknownCheckout();
      return refusalOfStripe(error);
    }
  }
}

const unknownCheckout = (): Refusal => new Refusal('not_found', { message: 'There is no such payment.' });
