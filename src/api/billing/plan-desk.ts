import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import { refuseClosed } from '../../money/accounts/account-status.ts';
import { cycleEndsAt } from '../../money/accounts/roll-cycle.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { findCustomer } from './customers.ts';
import { followSubscription, isLive } from './follow-subscription.ts';
import type { Leaving, PurchaseDesk } from './purchase-desk.ts';
import type { FormValue } from './stripe/form-fields.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';
import { unavailable, withoutStripe } from './stripe-refusals.ts';

/** `actor` is the person who asks, for the audit log. */
export type PlanOrder = { account: Account; plan: PlanId; origin: string; actor: string };

/** Changes the plan of an organization on behalf of its owner. */
export class PlanDesk {
  readonly #parts: BillingParts;
  readonly #purchases: PurchaseDesk;

  constructor(parts: BillingParts, purchases: PurchaseDesk) {
    this.#parts = parts;
    this.#purchases = purchases;
  }

  /** Upgrades are paid first and apply at once. Cheaper plans wait for the renewal. */
  async change(order: PlanOrder): Promise<Leaving | 'changed' | Refusal> {
    const { account, plan } = order;
    if (account.status !== 'active') return refuseClosed('plan');
    const plans = this.#parts.plans();
    if (!plans[plan].buyable || account.plan === 'enterprise') return notOffered();
    if (plan === account.plan) return this.#takeBack(order);
    return plans[plan].rank > plans[account.plan].rank ? this.#upgrade(order) : this.#downgrade(order);
  }

  async #upgrade(order: PlanOrder): Promise<Leaving | 'changed' | Refusal> {
    const { account, plan, origin } = order;
    const price = this.#priceOf(plan);
    // Free has the lowest price but a higher rank than pay-as-you-go.
    if (plan === 'free') return this.#set(order);
    if (price === null) return this.#parts.stripe.isReady ? notOffered() : withoutStripe();
    const customer = await findCustomer(this.#parts, account.id);
    if (!customer || !isLive(customer.body))
      return this.#purchases.subscribe(
        account,
        { priceId: price, cycleEndsAt: cycleEndsAt(account) },
        origin,
      );
    return this.#reprice(customer, price, {
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
  }

  async #downgrade(order: PlanOrder): Promise<'changed' | Refusal> {
    const customer = await findCustomer(this.#parts, order.account.id);
    if (!customer || !isLive(customer.body)) return this.#set(order);
    const price = this.#priceOf(order.plan);
    if (price !== null) return this.#reprice(customer, price, { proration_behavior: 'none' });
    const ended = await this.#update(customer, { cancel_at_period_end: true });
    if (ended instanceof Refusal) return ended;
    return order.plan === 'payg' ? this.#set(order) : 'changed';
  }

  /** The current plan is chosen again, so that no other one follows. */
  async #takeBack(order: PlanOrder): Promise<'changed' | Refusal> {
    const customer = await findCustomer(this.#parts, order.account.id);
    const price = this.#priceOf(order.plan);
    if (!customer || !isLive(customer.body) || price === null) return this.#set(order);
    return this.#reprice(customer, price, { proration_behavior: 'none' });
  }

  #priceOf(plan: PlanId): string | null {
    const prices: Partial<Record<PlanId, string | null>> = this.#parts.config().billing.stripe?.prices ?? {};
    return prices[plan] ?? null;
  }

  async #set({ account, plan, actor }: PlanOrder): Promise<'changed' | Refusal> {
    const changed = await this.#parts.accounts.change(account.id, { plan }, actor);
    return changed instanceof Refusal ? changed : 'changed';
  }

  async #reprice(
    customer: BillingRecord<'customer'>,
    price: string,
    how: Record<string, FormValue>,
  ): Promise<'changed' | Refusal> {
    const path = `/v1/subscriptions/${customer.body.subscriptionId}`;
    try {
      const { items } = await this.#parts.stripe.get<StripeSubscription>(path);
      const fields = { items: [{ id: items.data[0]!.id, price }], cancel_at_period_end: false, ...how };
      return await this.#update(customer, fields);
    } catch (error) {
      return unavailable(error);
    }
  }

  async #update(
    { body: { subscriptionId } }: BillingRecord<'customer'>,
    fields: Record<string, FormValue>,
  ): Promise<'changed' | Refusal> {
    try {
      await this.#parts.stripe.post(`/v1/subscriptions/${subscriptionId}`, { fields });
      await followSubscription(this.#parts, subscriptionId!);
      return 'changed';
    } catch (error) {
      return unavailable(error);
    }
  }
}

const notOffered = (): Refusal =>
  new Refusal('conflict', { message: 'This plan cannot be bought here. Ask the operator.', param: 'plan' });
