import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { planIds } from '../../settings/plans/plan.ts';

const closed = { additionalProperties: false };
const plan = Type.Enum(planIds);
const balance = Type.Enum(['monthly', 'purchased']);
const email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@<>,;"?&#%]+@[^\\s@<>,;"?&#%]+$' });
const usd = Type.Number({ minimum: 0, maximum: 1_000_000 });

const planRow = Type.Object({
  id: plan,
  name: Type.String(),
  price_usd_per_month: orNull(Type.Number()),
  /** Credits a month; on Free, once. `null` means no monthly credits, or no limit. */
  credits: orNull(Type.Number()),
  requests_per_min: Type.Number(),
  concurrent: Type.Number(),
  tokens_per_min: Type.Number(),
  is_current: Type.Boolean(),
  /**
   * `renewal`: the plan follows at the next renewal. `checkout`: it is paid for first.
   * `null` means that it cannot be chosen.
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

/** `POST …/billing/purchases` */
export const purchaseOrder = Type.Object({ usd, save_card: Type.Optional(Type.Boolean()) }, closed);
/** The browser goes to `url`. */
export const leavingView = Type.Object({ url: Type.String() });
export type LeavingView = Static<typeof leavingView>;

/**
 * `POST …/billing/plan`. Without `url`, the change is made. `renewal`: a more expensive plan waits for the
 * renewal too, and costs nothing now.
 */
export const planOrder = Type.Object({ plan, when: Type.Optional(Type.Enum(['now', 'renewal'])) }, closed);
export const planChangedView = Type.Object({ url: orNull(Type.String()) });
export type PlanChangedView = Static<typeof planChangedView>;

/** `POST …/billing/confirm`, for the browser that returns from a checkout. */
export const confirmOrder = Type.Object(
  { checkout_id: Type.String({ minLength: 1, maxLength: 255 }) },
  closed,
);
export const confirmedView = Type.Object({ state: Type.Enum(['open', 'processing', 'complete', 'expired']) });
export type ConfirmedView = Static<typeof confirmedView>;

/** `GET …/billing/entries?after&purchased` */
export const entriesQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** The balance that the previous page ended with, in micro-credits. */
    purchased: Type.Optional(Type.String({ pattern: '^-?\\d{1,16}$' })),
  },
  closed,
);
const moneyLine = Type.Object({
  /** `null` means that the row is a sum of usage between two entries. */
  id: orNull(Type.String()),
  kind: Type.Enum(['usage', 'grant', 'purchase', 'renewal', 'adjustment']),
  balance,
  from: Type.String(),
  to: Type.String(),
  /** Positive: credit was given. */
  credits: Type.Number(),
  requests: orNull(Type.Integer()),
  reason: orNull(Type.String()),
  purchased_credits_after: Type.Number(),
  /** The amount that was spent or taken back beyond all purchases. */
  debt_credits_after: Type.Number(),
});
export const entriesView = Type.Object({
  data: Type.Array(moneyLine),
  /** The query of the next page. */
  next: orNull(Type.Object({ after: Type.String(), purchased: Type.String() })),
});
export type EntriesView = Static<typeof entriesView>;

/** `GET …/billing/entries/{id}` */
export const entryDetail = Type.Object({
  id: Type.String(),
  at: Type.String(),
  kind: Type.String(),
  balance,
  credits: Type.Number(),
  reason: orNull(Type.String()),
  sequence: Type.Integer(),
  hash: Type.String(),
});
export type EntryDetail = Static<typeof entryDetail>;

/** `GET …/billing/invoices` */
export const invoicesView = Type.Object({
  /** The months with a statement of this server, newest first. */
  statements: Type.Array(Type.String()),
  /** The invoices of Stripe, newest first. */
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      number: orNull(Type.String()),
      status: orNull(Type.String()),
      created_at: Type.String(),
      period_start: Type.String(),
      period_end: Type.String(),
      currency: Type.String(),
      total: Type.Number(),
      lines: Type.Array(Type.Object({ description: Type.String(), amount: Type.Number() })),
      url: orNull(Type.String()),
      pdf_url: orNull(Type.String()),
    }),
  ),
  /** Stripe could not be asked. */
  is_incomplete: Type.Boolean(),
});
export type InvoicesView = Static<typeof invoicesView>;

/** `POST …/billing/auto-reload` */
export const reloadOrder = Type.Object(
  {
    is_on: Type.Boolean(),
    threshold_credits: Type.Number({ minimum: 0, maximum: 500_000_000 }),
    amount_usd: usd,
    ceiling_usd_per_month: usd,
  },
  closed,
);
/** `GET …/billing/auto-reload` */
export const reloadView = Type.Object({
  is_on: Type.Boolean(),
  threshold_credits: Type.Number(),
  amount_usd: Type.Number(),
  ceiling_usd_per_month: Type.Number(),
  spent_usd_this_month: Type.Number(),
  /** A payment is under way. */
  is_paying: Type.Boolean(),
  /** The latest failure. */
  error: orNull(Type.String()),
  /** The card that is charged. `null` means that none is saved, or that Stripe could not be asked. */
  card: orNull(Type.Object({ brand: Type.String(), last4: Type.String() })),
});
export type ReloadView = Static<typeof reloadView>;

/** `POST …/billing/alerts` */
export const receiverOrder = Type.Object(
  {
    addresses: Type.Array(email, { maxItems: 10 }),
    webhook_url: orNull(Type.String({ maxLength: 2_000, pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$' })),
    low_percents: Type.Array(Type.Number({ minimum: 0, maximum: 99 }), { maxItems: 5 }),
    caps: Type.Boolean(),
  },
  closed,
);
/** `GET …/billing/alerts` */
export const receiverView = Type.Object({
  addresses: Type.Array(Type.String()),
  /** The addresses that get nothing until the link that was sent there confirms them. */
  unconfirmed: Type.Array(Type.String()),
  webhook_url: orNull(Type.String()),
  low_percents: Type.Array(Type.Number()),
  caps: Type.Boolean(),
  /** True if this server sends mail. */
  mail: Type.Boolean(),
  /** The signing secret. It is shown only when it is new. */
  secret: orNull(Type.String()),
});
export type ReceiverView = Static<typeof receiverView>;

/**
 * `POST /dashboard/v1/alert-addresses/confirm`, with the token of the page's
 * fragment (`/confirm-address#token=…`).
 */
export const confirmAddressOrder = Type.Object({ token: Type.String({ maxLength: 200 }) }, closed);
export const confirmedAddressView = Type.Object({ address: Type.String() });
export type ConfirmedAddressView = Static<typeof confirmedAddressView>;

/** `POST …/billing/alerts/test` */
export const alertTestView = Type.Object({
  data: Type.Array(
    Type.Object({ receiver: Type.String(), state: Type.String(), error: orNull(Type.String()) }),
  ),
});
export type AlertTestView = Static<typeof alertTestView>;
