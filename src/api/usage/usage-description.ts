import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { usageParameters, usageSchema } from './usage-view.ts';

const text = Type.String();
const amount = Type.Number();
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const credits = Type.Object(
  { limit: orNull(amount), used: amount, remaining: orNull(amount), used_percent: amount },
  { description: "This cycle's (Free: given once); `limit` null is without one." },
);

const tokensToday = Type.Object(
  { limit: Type.Integer(), used: Type.Integer(), remaining: Type.Integer(), resets_at: text },
  { description: 'Of plans that give so many a UTC day, else null.' },
);

const key = Type.Object(
  {
    id: text,
    month_spent_usd: Type.Number({
      description:
        'The amount that counts against its cap. Monthly credits can pay for more; `data` has all of it.',
    }),
    monthly_cap_usd: orNull(amount),
  },
  { description: 'The key that asks, in this calendar month (UTC), whatever paid.' },
);

/** What an account has stored, and its plan's quota. */
export const storedSchema = Type.Object(
  { bytes: Type.Integer(), limit_bytes: orNull(Type.Integer()) },
  { description: 'Stored responses, batches and results. `limit_bytes` null: no limit.' },
);

/** What the documentation says of `GET /v1/usage`. */
export const usageDescription: RouteDescription = {
  group: 'Credits and usage',
  key: 'either',
  summary:
    "Shows the credits of the key's account and what they were used for; it costs nothing and is always readable",
  query: usageParameters('30 days ago unless said.'),
  answer: 'What there is now, and a sum for each day, model or key.',
  answerSchema: Type.Object(
    {
      object: Type.Literal('usage'),
      account_id: text,
      plan: text,
      pending_plan: orNull(Type.String({ description: 'A cheaper plan that acts at the renewal.' })),
      price_usd_per_month: orNull(amount),
      cycle_started_at: orNull(text),
      cycle_ends_at: orNull(Type.String({ description: 'When the credits renew.' })),
      credits,
      purchased_credits: Type.Number({ description: 'Spent in pay-as-you-go mode only; they never expire.' }),
      tokens_today: orNull(tokensToday),
      stored: storedSchema,
      key,
      from: text,
      to: text,
      by: Type.Enum(['model', 'key', 'day']),
      data: Type.Array(usageSchema),
    },
    { title: 'Usage' },
  ),
  errors: ['invalid_request'],
};
