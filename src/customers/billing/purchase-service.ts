import type { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/refuse-closed-account.ts';
import { centsOfUsd, microcreditsOfCents } from '../../money/ledger/cents.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { STARTS_AT } from './apply-paid-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import type { CheckoutPage, Checkouts } from './checkouts.ts';
import { CREDIT_CURRENCY, purchaseMark } from './purchase-mark.ts';
import { refuseAmount } from './refuse-amount.ts';
import type { FormValue } from './stripe/form-fields.ts';

/**
 * The cycle of an account that has not paid through Stripe before. `differenceUsd` is charged if the plan
 * starts now, and `invoiceText` names it on the invoice.
 */
export type RunningCycle = {
  endsAt: number;
  startsNow: boolean;
  differenceUsd: number;
  invoiceText: string;
};

/** Starts payments at Stripe. The person's browser then goes to the returned address. */
export class PurchaseService {
  readonly #parts: BillingParts;
  readonly #checkouts: Checkouts;

  constructor(parts: BillingParts, checkouts: Checkouts) {
    this.#parts = parts;
    this.#checkouts = checkouts;
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
    return this.#checkouts.begin(account, origin, {
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
      return this.#checkouts.begin(account, origin, {
        mode: 'subscription',
        line_items: [plan],
        metadata,
        subscription_data: { metadata },
      });
    const anchor = Math.floor(cycle.endsAt / 1_000);
    return this.#checkouts.begin(account, origin, {
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
}

const differenceOf = ({ startsNow, differenceUsd, invoiceText }: RunningCycle): FormValue[] =>
  startsNow && differenceUsd > 0 ? [lineOf(invoiceText, centsOfUsd(differenceUsd))] : [];

/** Returns the line of an invoice for something that is bought once. */
const lineOf = (name: string, cents: number): FormValue => ({
  quantity: 1,
  price_data: { currency: CREDIT_CURRENCY, unit_amount: cents, product_data: { name } },
});
