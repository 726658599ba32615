import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/account-status.ts';
import { centsOfUsd, microcreditsOfCents } from '../../money/ledger/cents.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { BillingParts } from './billing-parts.ts';
import { customerOf, findCustomer } from './customers.ts';
import { type CheckoutState, followCheckout } from './follow-checkout.ts';
import { newRecord } from './new-record.ts';
import { CREDIT_CURRENCY, purchaseMark } from './purchase-mark.ts';
import type { FormValue } from './stripe/form-fields.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeCheckout } from './stripe/stripe-objects.ts';
import { unavailable, withoutStripe } from './stripe-refusals.ts';
import { STARTS_AT } from './subscription-paid.ts';

/** The first look at a checkout for which no message has arrived. */
const FIRST_LOOK_MS = 60_000;

/** The page at Stripe that the browser goes to. */
export type CheckoutPage = { url: string };

/**
 * The cycle of an account that has not paid through Stripe before.
 * `name` is that of the difference on the invoice.
 */
export type RunningCycle = { endsAt: number; startsNow: boolean; differenceUsd: number; name: string };

/** Starts payments at Stripe. The person's browser then goes to the returned address. */
export class PurchaseService {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /** Starts a purchase of credit. `savesCard`: automatic purchases may use the card later. */
  async purchase(
    account: Account,
    { usd, savesCard }: { usd: number; savesCard: boolean },
    origin: string,
  ): Promise<CheckoutPage | Refusal> {
    if (account.status === 'closed') return refuseClosed();
    const refusal = refuseAmount(usd, this.#parts.config().purchases);
    if (refusal) return refusal;
    const cents = centsOfUsd(usd);
    const credits = creditsOf(microcreditsOfCents(cents)).toLocaleString('en-US');
    const metadata = purchaseMark(account.id, cents);
    return this.#begin(account, origin, {
      mode: 'payment',
      line_items: [lineOf(`${credits} credits`, cents)],
      invoice_creation: { enabled: true },
      metadata,
      payment_intent_data: { metadata, ...(savesCard && { setup_future_usage: 'off_session' }) },
    });
  }

  /**
   * Starts the payment of a plan. A running cycle keeps its dates: the price is charged from the renewal on,
   * and the difference to the present plan once, if the plan starts now.
   */
  subscribe(
    account: Account,
    { priceId, cycle }: { priceId: string; cycle: RunningCycle | null },
    origin: string,
  ): Promise<CheckoutPage | Refusal> {
    const metadata = { account_id: account.id };
    const plan = { price: priceId, quantity: 1 };
    if (cycle === null)
      return this.#begin(account, origin, {
        mode: 'subscription',
        line_items: [plan],
        metadata,
        subscription_data: { metadata },
      });
    const anchor = Math.floor(cycle.endsAt / 1_000);
    return this.#begin(account, origin, {
      mode: 'subscription',
      line_items: [plan, ...differenceOf(cycle)],
      metadata,
      subscription_data: {
        metadata: { ...metadata, ...(!cycle.startsNow && { [STARTS_AT]: String(anchor) }) },
        billing_cycle_anchor: anchor,
        proration_behavior: 'none',
      },
    });
  }

  /** Applies a checkout at once for the browser that returns from it. */
  async confirm(accountId: string, checkoutId: string): Promise<CheckoutState | Refusal> {
    if (!this.#parts.stripe.isReady) return withoutStripe();
    try {
      const state = await followCheckout(this.#parts, checkoutId, accountId);
      return state ?? unknownCheckout();
    } catch (error) {
      if (error instanceof StripeFailure && error.status === 404) return unknownCheckout();
      return unavailable(error);
    }
  }

  /** Opens the page at Stripe where cards, invoices and the subscription are managed. */
  async portal(accountId: string, origin: string): Promise<CheckoutPage | Refusal> {
    const { stripe } = this.#parts;
    if (!stripe.isReady) return withoutStripe();
    const customer = await findCustomer(this.#parts, accountId);
    if (!customer)
      return new Refusal('conflict', {
        message: 'Nothing has been paid yet, so there is nothing to manage.',
      });
    try {
      return await stripe.post<CheckoutPage>('/v1/billing_portal/sessions', {
        fields: { customer: customer.reference, return_url: `${origin}/billing` },
      });
    } catch (error) {
      return unavailable(error);
    }
  }

  async #begin(
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
      return { url: checkout.url! };
    } catch (error) {
      return unavailable(error);
    }
  }
}

const differenceOf = ({ startsNow, differenceUsd, name }: RunningCycle): FormValue[] =>
  startsNow && differenceUsd > 0 ? [lineOf(name, centsOfUsd(differenceUsd))] : [];

/** Returns the line of an invoice for something that is bought once. */
const lineOf = (name: string, cents: number): FormValue => ({
  quantity: 1,
  price_data: { currency: CREDIT_CURRENCY, unit_amount: cents, product_data: { name } },
});

/** Refuses an amount outside the bounds of a purchase. Purchases have whole cents. */
export function refuseAmount(
  usd: number,
  { min_usd, max_usd }: { min_usd: number; max_usd: number },
): Refusal | undefined {
  if (usd >= min_usd && usd <= max_usd && Math.abs(usd * 100 - centsOfUsd(usd)) < 1e-6) return undefined;
  const message = `usd must be from ${min_usd} to ${max_usd}, in whole cents.`;
  return new Refusal('invalid_request', { message, param: 'usd' });
}

const unknownCheckout = (): Refusal => new Refusal('not_found', { message: 'There is no such payment.' });
