import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';

const amount = Type.Number();

/** `GET /dashboard/v1/organizations/{account}/usage/balance` */
export const usageBalance = Type.Object({
  plan: Type.String(),
  plan_name: Type.String(),
  credits: Type.Object({
    /** `null` means that the plan has no limit. */
    limit: orNull(amount),
    used: amount,
    remaining: orNull(amount),
    used_percent: amount,
    resets_at: Type.Optional(Type.String()),
  }),
  purchased_credits: amount,
  debt_credits: amount,
  cycle_started_at: orNull(Type.String()),
  /** The time of the next reset of the credits. `null` means that they are not reset. */
  cycle_ends_at: orNull(Type.String()),
  /** `null` means that the plan does not limit tokens by the day. */
  tokens_today: orNull(
    Type.Object({
      limit: Type.Integer(),
      used: Type.Integer(),
      remaining: Type.Integer(),
      resets_at: Type.String(),
    }),
  ),
  /** True if the operator keeps the content of requests of this organization. */
  content_logging: Type.Boolean(),
});
export type UsageBalance = Static<typeof usageBalance>;
