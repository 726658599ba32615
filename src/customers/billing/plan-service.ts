import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/refuse-closed-account.ts';
import { cycleEndsAt, hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { BillingParts } from './billing-parts.ts';
import type { CheckoutPage } from './checkouts.ts';
import { findLiveSubscription, type LiveSubscription } from './live-subscription.ts';
import type { PurchaseService } from './purchase-service.ts';
import { stripePrice } from './stripe-prices.ts';
import { withoutStripe } from './stripe-refusals.ts';
import { upgradePriceUsd } from './upgrade-price.ts';

/** `actor` is the person who asks, for the audit log. */
export type PlanOrder = {
  account: Account;
  plan: PlanId;
  /** `renewal`: a more expensive plan waits for the renewal too. */
  when: 'now' | 'renewal';
  origin: string;
  actor: string;
};

const WITHOUT_CHARGE = { proration_behavior: 'none' };

/** Changes the plan of an organization on behalf of its owner. */
export class PlanService {
  readonly #parts: BillingParts;
  readonly #purchases: PurchaseService;

  constructor(parts: BillingParts, purchases: PurchaseService) {
    this.#parts = parts;
    this.#purchases = purchases;
  }

  /**
   * Upgrades are paid first and apply at once, or wait for the renewal without a charge. Cheaper plans wait
   * for the renewal.
   */
  async change(order: PlanOrder): Promise<CheckoutPage | 'changed' | Refusal> {
    const { account, plan } = order;
    if (account.status !== 'active') return refuseClosed('plan');
    const plans = this.#parts.plans();
    if (!plans[plan].buyable || account.plan === 'enterprise') return notOffered();
    if (plan === account.plan) return this.#keepPlan(order);
    return plans[plan].rank > plans[account.plan].rank ? this.#upgrade(order) : this.#downgrade(order);
  }

  async #upgrade(order: PlanOrder): Promise<CheckoutPage | 'changed' | Refusal> {
    const { account, plan } = order;
    const price = stripePrice(this.#parts, plan);
    // Free has the lowest price but a higher rank than pay-as-you-go.
    if (plan === 'free') return this.#set(order);
    if (price === null) return this.#parts.stripe.isReady ? notOffered() : withoutStripe();
    const subscription = await findLiveSubscription(this.#parts, account.id);
    if (!subscription) return this.#subscribe(order, price);
    if (order.when === 'renewal' && hasCycle(account.plan))
      return upgradeLater(subscription, { plan, price });
    return this.#upgradeNow(subscription, order, price);
  }

  /**
   * Starts a subscription. A running cycle keeps its dates. Its difference is charged once, or nothing if the
   * plan waits for the renewal.
   */
  #subscribe({ account, plan, when, origin }: PlanOrder, priceId: string): Promise<CheckoutPage | Refusal> {
    const endsAt = cycleEndsAt(account);
    const differenceUsd = upgradePriceUsd(this.#parts, { account, plan, customer: undefined });
    const invoiceText = `${this.#parts.plans()[plan].displayName}, for the running cycle`;
    const cycle = endsAt === null ? null : { endsAt, startsNow: when === 'now', differenceUsd, invoiceText };
    return this.#purchases.subscribe(account, { priceId, cycle }, origin);
  }

  /**
   * Charges the whole difference: Stripe prorates from the start of the period. Stripe compares with the
   * price of the subscription, so a price that waits for the renewal is taken back first.
   */
  async #upgradeNow(
    subscription: LiveSubscription,
    { account }: PlanOrder,
    price: string,
  ): Promise<'changed' | Refusal> {
    const before = await subscription.read();
    if (before instanceof Refusal) return before;
    const oldPrice = before.items.data[0].price.id;
    const base = stripePrice(this.#parts, account.plan) ?? oldPrice;
    const reset = base === oldPrice ? 'changed' : await subscription.reprice(base, WITHOUT_CHARGE);
    if (reset instanceof Refusal) return reset;
    await subscription.defer(null);
    const charged = await subscription.reprice(price, {
      proration_behavior: 'always_invoice',
      proration_date: before.current_period_start,
      payment_behavior: 'error_if_incomplete',
    });
    if (charged === 'changed' || base === oldPrice) return charged;
    // The payment has failed, so what was planned stays planned.
    const { plan: planned } = subscription;
    const isHigher = planned !== null && this.#rankOf(planned) > this.#rankOf(account.plan);
    if (isHigher) await upgradeLater(subscription, { plan: planned, price: oldPrice });
    else await subscription.reprice(oldPrice, WITHOUT_CHARGE);
    return charged;
  }

  #rankOf(plan: PlanId): number {
    return this.#parts.plans()[plan].rank;
  }

  async #downgrade(order: PlanOrder): Promise<'changed' | Refusal> {
    const subscription = await findLiveSubscription(this.#parts, order.account.id);
    if (!subscription) return this.#set(order);
    const price = stripePrice(this.#parts, order.plan);
    if (price !== null) return subscription.reprice(price, WITHOUT_CHARGE);
    const ended = await subscription.endAtRenewal();
    return ended === 'changed' && order.plan === 'payg' ? this.#set(order) : ended;
  }

  /** Chooses the current plan again, so that no other one follows. */
  async #keepPlan(order: PlanOrder): Promise<'changed' | Refusal> {
    const subscription = await findLiveSubscription(this.#parts, order.account.id);
    const price = stripePrice(this.#parts, order.plan);
    if (!subscription || price === null) return this.#set(order);
    return subscription.reprice(price, WITHOUT_CHARGE);
  }

  async #set({ account, plan, actor }: PlanOrder): Promise<'changed' | Refusal> {
    const changed = await this.#parts.accounts.change(account.id, { plan }, actor);
    return changed instanceof Refusal ? changed : 'changed';
  }
}

/**
 * Changes the price at once, which is charged at the renewal. The plan waits until then. This is noted first.
 */
async function upgradeLater(
  subscription: LiveSubscription,
  { plan, price }: { plan: PlanId; price: string },
): Promise<'changed' | Refusal> {
  const current = await subscription.read();
  if (current instanceof Refusal) return current;
  await subscription.defer({ plan, until: current.current_period_end * 1_000 });
  return subscription.reprice(price, WITHOUT_CHARGE);
}

const notOffered = (): Refusal =>
  new Refusal('conflict', { message: 'This plan cannot be bought here. Ask the operator.', param: 'plan' });
