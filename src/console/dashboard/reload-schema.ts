import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { closed } from '../routes/closed.ts';

const usd = Type.Number({ minimum: 0, maximum: 1_000_000 });

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
  /** True while a payment is under way. */
  is_paying: Type.Boolean(),
  /** The latest failure. */
  error: orNull(Type.String()),
  /** The card that is charged. `null` means that none is saved, or that Stripe could not be asked. */
  card: orNull(Type.Object({ brand: Type.String(), last4: Type.String() })),
});
export type ReloadView = Static<typeof reloadView>;
