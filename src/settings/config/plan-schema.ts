import type { TSchema } from 'typebox';
import { mapValues, recordBy } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { MAX_CREDITS, MAX_USD } from '../plans/amounts.ts';
import { builtinPlans, type Plan, type PlanFigures } from '../plans/plan.ts';
import { type planFields, rowOfFigures } from '../plans/plan-figures.ts';
import { section } from './schema-parts.ts';

const amount = (maximum: number) => Type.Number({ minimum: 0, maximum });
const count = (description: string) => Type.Integer({ minimum: 1, description });

/** The settings of a plan. `null` means no limit. A null price is by agreement. */
export const planFigureSchemas = {
  price_usd: orNull(amount(MAX_USD), 'Monthly price in USD. `null` means that the price is by agreement.'),
  credits: orNull(amount(MAX_CREDITS), 'Credits per month. The Free plan grants its credits once.'),
  requests_per_min: count('Maximum requests in any 60 seconds.'),
  requests_per_5min: orNull(count(''), 'Maximum requests in any 5 minutes. `null` means no limit.'),
  concurrent: count('Maximum concurrent requests.'),
  tokens_per_min: count('Maximum tokens in any 60 seconds, the sum of estimated input and output.'),
  max_prompt_tokens: orNull(count(''), 'Maximum prompt length in tokens. `null` means no limit.'),
  tokens_per_day: orNull(count(''), 'Maximum tokens in a UTC day. `null` means no limit.'),
  network_requests_per_min: orNull(
    count(''),
    'Maximum requests in any 60 seconds from one client network. `null` means no limit.',
  ),
  stored_mb: orNull(
    amount(1_000_000_000),
    'Maximum storage of responses, batches and results, in MB. `null` means no limit.',
  ),
} satisfies Record<keyof typeof planFields, TSchema>;

/**
 * Builds the schema of a plan. The built-in figures are the defaults, so a file can override single fields.
 */
function planSchema(plan: Plan) {
  const figures = rowOfFigures(plan) as Record<string, PlanFigures[keyof PlanFigures]>;
  const fields = Object.entries(planFigureSchemas).map(([name, schema]) => [
    name,
    Type.Unsafe({ ...schema, default: figures[name] }),
  ]);
  return section(Object.fromEntries(fields) as typeof planFigureSchemas, {
    description: `The ${plan.displayName} plan.`,
  });
}

export const PlansSchema = section(
  mapValues(
    recordBy(builtinPlans, ({ id }) => id),
    planSchema,
  ),
  { description: 'Plans. Fields that are left out keep their built-in values.' },
);
