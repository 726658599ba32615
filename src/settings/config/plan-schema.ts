import { type TSchema, Type } from 'typebox';
import { MOST_CREDITS, MOST_USD } from '../plans/amounts.ts';
import { type planFields, rowOfFigures } from '../plans/build-plans.ts';
import { builtinPlans, type Plan, type PlanFigures, type PlanId } from '../plans/plan.ts';
import { section } from './schema-parts.ts';

const amount = (maximum: number) => Type.Number({ minimum: 0, maximum });
const count = (description: string) => Type.Integer({ minimum: 1, description });
const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** What can be set of a plan. Null: no such limit (of the price: by agreement). */
export const planFigureSchemas = {
  price_usd: orNull(amount(MOST_USD), 'Price of a month.'),
  credits: orNull(amount(MOST_CREDITS), "A month's credits; Free's are given once."),
  requests_per_min: count('Requests in any 60 seconds.'),
  requests_per_5min: orNull(count(''), 'Requests in any 5 minutes.'),
  concurrent: count('Requests at a time.'),
  tokens_per_min: count('Tokens in any 60 seconds, estimated input and output.'),
  max_prompt_tokens: orNull(count(''), 'Longest prompt.'),
  tokens_per_day: orNull(count(''), 'Tokens in a UTC day.'),
  network_requests_per_min: orNull(count(''), 'Requests in any 60 seconds from one client network.'),
  stored_mb: orNull(amount(1_000_000_000), 'Megabytes of stored responses, batches and results.'),
} satisfies Record<keyof typeof planFields, TSchema>;

/** The same with the built-in plan's figures as defaults, so that a file overrides them one by one. */
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

type PlanSchema = ReturnType<typeof planSchema>;

export const PlansSchema = section(
  Object.fromEntries(builtinPlans.map((plan) => [plan.id, planSchema(plan)])) as Record<PlanId, PlanSchema>,
  { description: 'The plans; what is left out keeps its built-in figure.' },
);
