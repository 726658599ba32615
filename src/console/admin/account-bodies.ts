import { writtenTime } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { MOST_USD } from '../../settings/plans/amounts.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { EMAIL, NAME } from './name-texts.ts';
import { checkedBody } from './read-checked-body.ts';
import { expiresAtField } from './token-bodies.ts';

const closed = { additionalProperties: false };
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const name = Type.String(NAME);
const email = orNull(Type.String(EMAIL));
const plan = Type.Enum(planIds);

const amount = Type.Number({ minimum: 0, maximum: MOST_USD });
const planOverrides = Type.Partial(Type.Object(planFigureSchemas), closed);

export const newAccountBody = checkedBody(Type.Object({ name, email: Type.Optional(email), plan }, closed));

export const accountChangeBody = checkedBody(
  Type.Partial(
    Type.Object({
      name,
      email,
      plan,
      status: Type.Enum(['active', 'suspended', 'closed']),
      email_verified: Type.Boolean(),
      cycle_started_at: writtenTime,
      price_usd_per_month: orNull(amount),
      plan_overrides: orNull(planOverrides),
    }),
    closed,
  ),
);

const limit = Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })));
const limits = Type.Object({ requests_per_min: limit, tokens_per_min: limit, concurrent: limit }, closed);

const keyFields = Type.Partial(
  Type.Object({
    name: orNull(name),
    payg: Type.Boolean(),
    monthly_cap_usd: orNull(amount),
    allowed_models: orNull(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 1_000 }),
    ),
    limits: orNull(limits),
    expires_at: expiresAtField,
  }),
  closed,
);

export const keyBody = checkedBody(keyFields);
