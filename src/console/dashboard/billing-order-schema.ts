import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { closed } from '../routes/closed.ts';

const plan = Type.Enum(planIds);
const usd = Type.Number({ minimum: 0, maximum: 1_000_000 });

/** `POST …/billing/purchases` */
export const purchaseOrder = Type.Object({ usd, save_card: Type.Optional(Type.Boolean()) }, closed);
/** The page of Stripe that the browser opens. */
export const checkoutView = Type.Object({ url: Type.String() });
export type CheckoutView = Static<typeof checkoutView>;

/**
 * `POST …/billing/plan`. A more expensive plan begins now by default. With `renewal` it waits for the
 * renewal, and costs nothing now.
 */
export const planOrder = Type.Object({ plan, when: Type.Optional(Type.Enum(['now', 'renewal'])) }, closed);
/** `null` means that the change is made, and nothing is left to pay. */
export const planChangedView = Type.Object({ url: orNull(Type.String()) });
export type PlanChangedView = Static<typeof planChangedView>;

/** `POST …/billing/confirm`, for the browser that returns from a checkout. */
export const confirmOrder = Type.Object(
  { checkout_id: Type.String({ minLength: 1, maxLength: 255 }) },
  closed,
);
export const confirmedView = Type.Object({ state: Type.Enum(['open', 'processing', 'complete', 'expired']) });
export type ConfirmedView = Static<typeof confirmedView>;
