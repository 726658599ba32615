import { instantOf } from '../../base/lib/instant-of.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { MAX_USD_PER_MTOK } from '../plans/amounts.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import { dateProblems } from './date-problems.ts';
import type { PriceConditionRow, PriceRow } from './price-schema.ts';
import { pricingFields } from './pricing-fields.ts';
import { type ProblemPath, problemIf } from './problem-if.ts';

type ConditionedPrices = Pick<PriceRow, 'input' | 'output' | 'cached_input' | 'conditions'>;

/** The dates of a model. */
const MODEL_DATES = ['confirmed_at', 'deprecated_at', 'retires_at'] as const;
const CONDITION_DATES = ['from', 'until', 'confirmed_at'] as const;

/** The name that receipts and quotes give to the prices without a condition. */
const BASE = 'base';

/** Finds invalid dates and price rows of models. */
export const modelPriceProblems = (models: readonly CatalogModelRow[], path: ProblemPath): SchemaProblem[] =>
  models.flatMap((model, index) => [
    ...pricingFields.flatMap((name) => conditionProblems(model[name], [...path, index, name])),
    ...MODEL_DATES.flatMap((name) => dateProblems(model[name], [...path, index, name])),
  ]);

/** Finds invalid dates and price rows among prices that replace those of models. */
export const replacedPriceProblems = (
  prices: Readonly<Record<string, PriceRow>>,
  path: ProblemPath,
): SchemaProblem[] =>
  Object.entries(prices).flatMap(([name, row]) => [
    ...conditionProblems(row, [...path, name]),
    ...dateProblems(row.confirmed_at, [...path, name, 'confirmed_at']),
  ]);

/** Finds rows with a name that is taken, dates that do not exist, and prices beyond the bound. */
function conditionProblems(prices: ConditionedPrices | null, path: ProblemPath): SchemaProblem[] {
  if (prices === null) return [];
  const { conditions = [] } = prices;
  const names = conditions.map(({ name }) => name);
  return conditions.flatMap((row, index) => {
    const place: ProblemPath = [...path, 'conditions', index];
    return [
      ...nameProblems(names, index, place),
      ...CONDITION_DATES.flatMap((field) => dateProblems(row[field], [...place, field])),
      ...orderProblems(row, place),
      ...boundProblems(row, prices, place),
    ];
  });
}

function nameProblems(names: readonly string[], index: number, place: ProblemPath): SchemaProblem[] {
  const path = [...place, 'name'];
  const name = names[index]!;
  if (name === BASE)
    return [{ path, message: `must not be '${BASE}', which names the prices without a condition` }];
  const earlier = names.indexOf(name);
  const message = `must be unique; the row at position ${earlier} is also named '${name}'`;
  return problemIf(earlier !== index, path, message);
}

const orderProblems = ({ from, until }: PriceConditionRow, place: ProblemPath): SchemaProblem[] =>
  problemIf(
    from !== undefined && until !== undefined && instantOf(from) >= instantOf(until),
    [...place, 'until'],
    `must be after from, which is ${from}`,
  );

function boundProblems(row: PriceConditionRow, base: ConditionedPrices, place: ProblemPath): SchemaProblem[] {
  const highest = Math.max(
    row.input ?? base.input * row.factor,
    row.output ?? base.output * row.factor,
    row.cached_input ?? (base.cached_input ?? 0) * row.factor,
  );
  const message = `makes a price of ${highest} USD per million tokens; the highest is ${MAX_USD_PER_MTOK}`;
  return problemIf(highest > MAX_USD_PER_MTOK, [...place, 'factor'], message);
}
