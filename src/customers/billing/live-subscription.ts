import { Refusal } from '../../base/errors/refusal.ts';
import type { PlanId } from '../../settings/plans/plan.ts';
import { applySubscription } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import type { DeferredPlan } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { findCustomer } from './customers.ts';
import type { FormValue } from './stripe/form-fields.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';
import { refusalOfStripe } from './stripe-refusals.ts';
import { liveSubscriptionId } from './subscription-standing.ts';

type LiveSubscriptionFields = { accountId: string; subscriptionId: string; plan: PlanId | null };

/** Finds the subscription of an account that a plan change applies to. */
export async function findLiveSubscription(
  parts: BillingParts,
  accountId: string,
): Promise<LiveSubscription | undefined> {
  const customer = await findCustomer(parts, accountId);
  const subscriptionId = customer && liveSubscriptionId(customer.body);
  if (customer === undefined || subscriptionId === undefined) return undefined;
  return new LiveSubscription(parts, { accountId, subscriptionId, plan: customer.body.plan });
}

/** Changes a subscription at Stripe. Each change is applied to the account at once. */
export class LiveSubscription {
  /** The plan that it has set, which can wait for the renewal. */
  readonly plan: PlanId | null;
  readonly #parts: BillingParts;
  readonly #accountId: string;
  readonly #id: string;

  constructor(parts: BillingParts, { accountId, subscriptionId, plan }: LiveSubscriptionFields) {
    this.#parts = parts;
    this.#accountId = accountId;
    this.#id = subscriptionId;
    this.plan = plan;
  }

  async read(): Promise<StripeSubscription | Refusal> {
    try {
      return await this.#parts.stripe.get<StripeSubscription>(`/v1/subscriptions/${this.#id}`);
    } catch (error) {
      return refusalOfStripe(error);
    }
  }

  /** Changes the price. A subscription that was to end continues. `charge` says what Stripe charges now. */
  async reprice(price: string, charge: Record<string, FormValue>): Promise<'changed' | Refusal> {
    const subscription = await this.read();
    if (subscription instanceof Refusal) return subscription;
    const items = [{ id: subscription.items.data[0].id, price }];
    return this.#update({ items, cancel_at_period_end: false, ...charge });
  }

  /** Ends the subscription with its current period. */
  endAtRenewal(): Promise<'changed' | Refusal> {
    return this.#update({ cancel_at_period_end: true });
  }

  /** Notes the plan that waits for the renewal. */
  async defer(deferred: DeferredPlan | null): Promise<void> {
    const { store } = this.#parts;
    await changeRecord({ store, kind: 'customer', id: this.#accountId }, () => ({ body: { deferred } }));
  }

  async #update(fields: Record<string, FormValue>): Promise<'changed' | Refusal> {
    try {
      await this.#parts.stripe.post(`/v1/subscriptions/${this.#id}`, { fields });
      await applySubscription(this.#parts, this.#id);
      return 'changed';
    } catch (error) {
      return refusalOfStripe(error);
    }
  }
}
