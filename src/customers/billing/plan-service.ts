import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/account-status.ts';
import { cycleEndsAt, hasCycle } from '../../money/accounts/roll-cycle.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { BillingParts } from './billing-parts.ts';
import type { CustomerBody } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import type { CheckoutPage } from './checkouts.ts';
import { type CustomerRecord, findCustomer } from './customers.ts';
import { followSubscription } from './follow-subscription.ts';
import type { PurchaseService } from './purchase-service.ts';
import type { FormValue } from './stripe/form-fields.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';
import { stripePrice } from './stripe-prices.ts';
import { refusalOfStripe, withoutStripe } from './stripe-refusals.ts';
import { isLive } from './subscription-standing.ts';
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
   * Upgrades are paid first and apply at once, or wait for the renewal without a charge.
   * Cheaper plans wait for the renewal.
   */
  async change(order: PlanOrder): Promise<CheckoutPage | 'changed' | Refusal> {
    const { account, plan } = order;
    if (account.status !== 'active') return refuseClosed('plan');
    const plans = this.#parts.plans();
    if (!plans[plan].buyable || account.plan === 'enterprise') return notOffered();
    if (plan === account.plan) return this.#takeBack(order);
    return plans[plan].rank > plans[account.plan].rank ? this.#upgrade(order) : this.#downgrade(order);
  }

  async #upgrade(order: PlanOrder): Promise<CheckoutPage | 'changed' | Refusal> {
    const { account, plan } = order;
    const price = stripePrice(this.#parts, plan);
    // Free has the lowest price but a higher rank than pay-as-you-go.
    if (plan === 'free') return this.#set(order);
    if (price === null) return this.#parts.stripe.isReady ? notOffered() : withoutStripe();
    const customer = await findCustomer(this.#parts, account.id);
    if (!customer || !isLive(customer.body)) return this.#subscribe(order, price);
    if (order.when === 'renewal' && hasCycle(account.plan))
      return this.#upgradeLater(customer, { plan, price });
    return this.#upgradeNow(customer, order, price);
  }

  /**
   * Starts a subscription. A running cycle keeps its dates.
   * Its difference is charged once, or nothing if the plan waits for the renewal.
   */
  #subscribe({ account, plan, when, origin }: PlanOrder, priceId: string): Promise<CheckoutPage | Refusal> {
    const endsAt = cycleEndsAt(account);
    const differenceUsd = upgradePriceUsd(this.#parts, { account, plan, customer: undefined });
    const invoiceText = `${this.#parts.plans()[plan].displayName}, for the running cycle`;
    const cycle = endsAt === null ? null : { endsAt, startsNow: when === 'now', differenceUsd, invoiceText };
    return this.#purchases.subscribe(account, { priceId, cycle }, origin);
  }

  /**
   * Charges the whole difference: Stripe prorates from the start of the period. It compares with the price
   * that the subscription has, so one that waits for the renewal is taken back first.
   */
  async #upgradeNow(
    customer: CustomerRecord,
    { account }: PlanOrder,
    price: string,
  ): Promise<'changed' | Refusal> {
    const before = await this.#read(customer);
    if (before instanceof Refusal) return before;
    const oldPrice = before.items.data[0].price.id;
    const base = stripePrice(this.#parts, account.plan) ?? oldPrice;
    const reset = base === oldPrice ? 'changed' : await this.#reprice(customer, base, WITHOUT_CHARGE);
    if (reset instanceof Refusal) return reset;
    await this.#defer(customer, null);
    const charged = await this.#reprice(customer, price, {
      proration_behavior: 'always_invoice',
      proration_date: before.current_period_start,
      payment_behavior: 'error_if_incomplete',
    });
    if (charged === 'changed' || base === oldPrice) return charged;
    // The payment has failed, so what was planned stays planned.
    const { plan: planned } = customer.body;
    const isHigher = planned !== null && this.#rankOf(planned) > this.#rankOf(account.plan);
    if (isHigher) await this.#upgradeLater(customer, { plan: planned, price: oldPrice });
    else await this.#reprice(customer, oldPrice, WITHOUT_CHARGE);
    return charged;
  }

  /**
   * The price changes at once and is charged at the renewal. The plan waits until then, which is noted first.
   */
  async #upgradeLater(
    customer: CustomerRecord,
    { plan, price }: { plan: PlanId; price: string },
  ): Promise<'changed' | Refusal> {
    const subscription = await this.#read(customer);
    if (subscription instanceof Refusal) return subscription;
    await this.#defer(customer, { plan, until: subscription.current_period_end * 1_000 });
    return this.#reprice(customer, price, WITHOUT_CHARGE);
  }

  async #defer(
    { id }: CustomerRecord,
    deferred: NonNullable<CustomerBody['deferred']> | null,
  ): Promise<void> {
    await changeRecord({ store: this.#parts.store, kind: 'customer', id }, () => ({ body: { deferred } }));
  }

  #rankOf(plan: PlanId): number {
    return this.#parts.plans()[plan].rank;
  }

  async #downgrade(order: PlanOrder): Promise<'changed' | Refusal> {
    const customer = await findCustomer(this.#parts, order.account.id);
    if (!customer || !isLive(customer.body)) return this.#set(order);
    const price = stripePrice(this.#parts, order.plan);
    if (price !== null) return this.#reprice(customer, price, WITHOUT_CHARGE);
    const ended = await this.#update(customer, { cancel_at_period_end: true });
    if (ended instanceof Refusal) return ended;
    return order.plan === 'payg' ? this.#set(order) : 'changed';
  }

  /** The current plan is chosen again, so that no other one follows. */
  async #takeBack(order: PlanOrder): Promise<'changed' | Refusal> {
    const customer = await findCustomer(this.#parts, order.account.id);
    const price = stripePrice(this.#parts, order.plan);
    if (!customer || !isLive(customer.body) || price === null) return this.#set(order);
    return this.#reprice(customer, price, WITHOUT_CHARGE);
  }

  async #set({ account, plan, actor }: PlanOrder): Promise<'changed' | Refusal> {
    const changed = await this.#parts.accounts.change(account.id, { plan }, actor);
    return changed instanceof Refusal ? changed : 'changed';
  }

  async #reprice(
    customer: CustomerRecord,
    price: string,
    charge: Record<string, FormValue>,
  ): Promise<'changed' | Refusal> {
    const subscription = await this.#read(customer);
    if (subscription instanceof Refusal) return subscription;
    const items = [{ id: subscription.items.data[0].id, price }];
    return this.#update(customer, { items, cancel_at_period_end: false, ...charge });
  }

  async #read(customer: CustomerRecord): Promise<StripeSubscription | Refusal> {
    try {
      return await this.#parts.stripe.get<StripeSubscription>(`/v1/subscriptions/${liveIdOf(customer)}`);
    } catch (error) {
      return refusalOfStripe(error);
    }
  }

  async #update(customer: CustomerRecord, fields: Record<string, FormValue>): Promise<'changed' | Refusal> {
    const id = liveIdOf(customer);
    try {
      await this.#parts.stripe.post(`/v1/subscriptions/${id}`, { fields });
      await followSubscription(this.#parts, id);
      return 'changed';
    } catch (error) {
      return refusalOfStripe(error);
    }
  }
}

/** Returns the id of a customer's live subscription. */
function liveIdOf({ id, body: { subscriptionId } }: CustomerRecord): string {
  if (subscriptionId === null) throw new Error(`The account ${id} has no subscription.`);
  return subscriptionId;
}

const notOffered = (): Refusal =>
  new Refusal('conflict', { message: 'This plan cannot be bought here. Ask the operator.', param: 'plan' });
