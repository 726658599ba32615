import type { Static } from 'typebox';
import { definedOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { MAX_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { figuresOfRow } from '../../settings/plans/plan-figures.ts';
import { closed } from '../routes/closed.ts';
import { EMAIL, NAME, withTrimmedTexts } from '../routes/name-texts.ts';
import { timeOfField } from '../routes/time-of-field.ts';

const name = Type.String(NAME);
const email = orNull(Type.String(EMAIL));
const plan = Type.Enum(planIds);

/** The body that creates an account. */
export const newAccount = Type.Object({ name, email: Type.Optional(email), plan }, closed);

/** The body that changes an account. */
export const accountChange = Type.Partial(
  Type.Object({
    name,
    email,
    plan,
    status: Type.Enum(['active', 'suspended', 'closed']),
    email_verified: Type.Boolean(),
    cycle_started_at: writtenTime,
    price_usd_per_month: orNull(Type.Number({ minimum: 0, maximum: MAX_USD })),
    plan_overrides: orNull(Type.Partial(Type.Object(planFigureSchemas), closed)),
  }),
  closed,
);

/** Returns the change of an account that a body asks for. Fields that the body omits stay omitted. */
export function accountChangeOf({
  email_verified,
  cycle_started_at: startedAt,
  price_usd_per_month,
  plan_overrides,
  ...body
}: Static<typeof accountChange>): AccountChange {
  return {
    ...withTrimmedTexts(body),
    ...definedOf({
      emailVerified: email_verified,
      cycleStartedAt: startedAt === undefined ? undefined : timeOfField(startedAt, 'cycle_started_at'),
      priceUsdPerMonth: price_usd_per_month,
      planOverrides: plan_overrides && figuresOfRow(plan_overrides),
    }),
  };
}
