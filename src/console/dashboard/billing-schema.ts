import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { planIds } from '../../settings/plans/plan.ts';

const plan = Type.Enum(planIds);

const planRow = Type.Object({
  id: plan,
  name: Type.String(),
  price_usd_per_month: orNull(Type.Number()),
  /** The credits of a month. Free grants them once, and pay-as-you-go has 0. `null` means no limit. */
  credits: orNull(Type.Number()),
  requests_per_min: Type.Number(),
  concurrent: Type.Number(),
  tokens_per_min: Type.Number(),
  is_current: Type.Boolean(),
  /**
   * `renewal`: the plan follows at the next renewal. `checkout`: it is paid for first. `null` means that it
   * cannot be chosen.
   */
  change: orNull(Type.Enum(['checkout', 'now', 'renewal'])),
});

/** `GET …/billing` */
export const billingView = Type.Object({
  /** `stripe`: payments are possible. `operator`: an operator grants credit and changes plans. */
  payments: Type.Enum(['stripe', 'operator']),
  status: Type.Enum(['active', 'suspended', 'closed']),
  plan,
  plan_name: Type.String(),
  pending_plan: orNull(plan),
  price_usd_per_month: orNull(Type.Number()),
  cycle_started_at: Type.String(),
  /** `null` means that the plan has no cycle. */
  renews_at: orNull(Type.String()),
  monthly: Type.Object({
    /** `null` means no limit. */
    limit: orNull(Type.Number()),
    used: Type.Number(),
    remaining: orNull(Type.Number()),
    /** The next grant, while the cycle is not paid. */
    resets_at: Type.Optional(Type.String()),
  }),
  purchased_credits: Type.Number(),
  /** The amount that reversed payments have taken beyond the purchased credit. */
  debt_credits: Type.Number(),
  purchases: Type.Object({
    min_usd: Type.Number(),
    max_usd: Type.Number(),
    packs_usd: Type.Array(Type.Number()),
  }),
  /** `null` means that no plan is paid through a subscription. */
  subscription: orNull(
    Type.Object({
      status: Type.String(),
      /** The time until which a failed renewal is tolerated. */
      grace_until: orNull(Type.String()),
    }),
  ),
  /** True if there is a customer at Stripe, for the page where cards and invoices are managed. */
  has_portal: Type.Boolean(),
  plans: Type.Array(planRow),
  /** The more expensive plans that can be paid for. */
  upgrades: Type.Array(
    Type.Object({
      plan,
      /** The whole difference to the price of the present plan. */
      charge_now_usd: Type.Number(),
      /**
       * The day from which the plan costs nothing more than its price. `null` means that no cycle is running.
       */
      renews_at: orNull(Type.String()),
    }),
  ),
});
export type BillingView = Static<typeof billingView>;
export type BillingPlanRow = Static<typeof planRow>;
