import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { parametersOf } from '../../edge/http/parameters-of.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { usageFields, usageGroupings, usageSchema } from './usage-view.ts';

const text = Type.String();
const amount = Type.Number();

const credits = Type.Object(
  {
    limit: orNull(amount, '`null` means no limit.'),
    used: amount,
    remaining: orNull(amount, '`null` means no limit.'),
    used_percent: amount,
    resets_at: Type.Optional(time),
  },
  {
    description:
      'The credits of this cycle. On the Free plan, the credits of the whole account. While a renewal is past due, `limit` is the sum of the grants so far, and `resets_at` is the time of the next one.',
  },
);

const tokensToday = Type.Object(
  { limit: Type.Integer(), used: Type.Integer(), remaining: Type.Integer(), resets_at: time },
  { description: 'The tokens of this UTC day. `null` means that the plan has no daily token limit.' },
);

const key = Type.Object(
  {
    id: text,
    month_spent_usd: Type.Number({
      description:
        'The amount that counts against the cap. Monthly credits can pay for more than the cap; `data` has the full usage.',
    }),
    monthly_cap_usd: orNull(amount, '`null` means that the key has no cap.'),
  },
  { description: 'The key of this request, in this calendar month (UTC) and in both payment modes.' },
);

/** The stored bytes of an account and its plan's quota. */
export const storedSchema = Type.Object(
  { bytes: Type.Integer(), limit_bytes: orNull(Type.Integer(), '`null` means no limit.') },
  { description: 'Stored responses, batches and results.' },
);

/** Describes `GET /v1/usage`. */
export const usageDescription: RouteDescription = {
  group: 'Credits and usage',
  key: 'either',
  summary:
    "Shows the balances and the usage of the key's account, free of charge and even when no credits are left",
  query: parametersOf(Type.Object(usageFields('Default: 30 days ago.'))),
  answer: 'The balances, and a sum of the usage for each day, model or key.',
  answerSchema: Type.Object(
    {
      object: Type.Literal('usage'),
      account_id: text,
      plan: text,
      pending_plan: orNull(
        Type.String({ description: 'The plan of a pending downgrade, which applies at the renewal.' }),
      ),
      price_usd_per_month: orNull(amount),
      cycle_started_at: orNull(time),
      cycle_ends_at: orNull(
        Type.String({ format: 'date-time', description: 'The time at which the credits renew.' }),
      ),
      credits,
      purchased_credits: Type.Number({
        description:
          'The balance of purchased credit. Only pay-as-you-go requests spend it, and it never expires.',
      }),
      debt_credits: Type.Number({
        description:
          'The amount that refunds and disputes have taken beyond the purchased credit. Purchases pay it first, and pay-as-you-go requests are refused until then.',
      }),
      tokens_today: orNull(tokensToday),
      stored: storedSchema,
      key,
      from: time,
      to: time,
      by: Type.Enum(usageGroupings),
      data: Type.Array(usageSchema),
    },
    { title: 'Usage' },
  ),
  errors: ['invalid_request'],
};
