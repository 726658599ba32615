import { instantOf } from '../../base/lib/instant-of.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { MAX_USD_PER_MTOK } from '../plans/amounts.ts';
import type { CatalogModelRow } from './catalog-schema.ts';
import type { PriceConditionRow, PriceRow } from './price-schema.ts';

type Path = (string | number)[];
type Priced = Pick<PriceRow, 'input' | 'output' | 'cached_input' | 'conditions'>;

const BASE = 'base';

/** Finds price rows with a name that is taken, dates that do not exist, and prices beyond the bound. */
export function conditionProblems(pricing: Priced | null, path: Path): SchemaProblem[] {
  const { conditions = [] } = pricing ?? {};
  const names = new Map<string, number>();
  return conditions.flatMap((row, index) => {
    const place: Path = [...path, 'conditions', index];
    const earlier = names.get(row.name);
    if (earlier === undefined) names.set(row.name, index);
    return [
      ...nameProblems(row, earlier, place),
      ...dateProblems(row, place),
      ...boundProblems(row, pricing!, place),
    ];
  });
}

function nameProblems(
  { name }: PriceConditionRow,
  earlier: number | undefined,
  place: Path,
): SchemaProblem[] {
  const path = [...place, 'name'];
  if (name === BASE)
    return [{ path, message: `must not be '${BASE}', which names the prices without a condition` }];
  if (earlier === undefined) return [];
  return [{ path, message: `must be unique; the row at position ${earlier} is also named '${name}'` }];
}

function dateProblems({ from, until, confirmed_at }: PriceConditionRow, place: Path): SchemaProblem[] {
  const missing = Object.entries({ from, until, confirmed_at }).flatMap(([field, text]) =>
    text === undefined ? [] : dateProblem(text, [...place, field]),
  );
  const isReversed = from !== undefined && until !== undefined && instantOf(from) >= instantOf(until);
  return [
    ...missing,
    ...(isReversed ? [{ path: [...place, 'until'], message: `must be after from, which is ${from}` }] : []),
  ];
}

/** Finds a date that the calendar lacks, such as 30 February. */
export const dateProblem = (text: string, path: Path): SchemaProblem[] =>
  Number.isNaN(instantOf(text)) ? [{ path, message: `must exist; there is no ${text}` }] : [];

function boundProblems(row: PriceConditionRow, base: Priced, place: Path): SchemaProblem[] {
  const highest = Math.max(
    row.input ?? base.input * row.factor,
    row.output ?? base.output * row.factor,
    row.cached_input ?? (base.cached_input ?? 0) * row.factor,
  );
  if (highest <= MAX_USD_PER_MTOK) return [];
  const message = `makes a price of ${highest} USD per million tokens; the highest is ${MAX_USD_PER_MTOK}`;
  return [{ path: [...place, 'factor'], message }];
}

const PRICINGS = [
  'pricing_usd_per_mtok',
  'payg_pricing_usd_per_mtok',
  'native_batch_pricing_usd_per_mtok',
] as const;

const DATES = ['confirmed_at', 'deprecated_at', 'retires_at'] as const;

export const modelPriceProblems = (models: readonly CatalogModelRow[], path: Path): SchemaProblem[] =>
  models.flatMap((model, index) => [
    ...PRICINGS.flatMap((name) => conditionProblems(model[name], [...path, index, name])),
    ...DATES.flatMap((name) => {
      const date = model[name];
      return date === undefined ? [] : dateProblem(date, [...path, index, name]);
    }),
  ]);

export const replacedPriceProblems = (
  prices: Readonly<Record<string, PriceRow>>,
  path: Path,
): SchemaProblem[] =>
  Object.entries(prices).flatMap(([name, row]) => [
    ...conditionProblems(row, [...path, name]),
    ...(row.confirmed_at === undefined ? [] : dateProblem(row.confirmed_at, [...path, name, 'confirmed_at'])),
  ]);
