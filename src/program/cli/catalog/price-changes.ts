import type { Fields } from '../../../base/schema/json-type.ts';
import { BASE_ROW } from '../../../money/ledger/rate-row.ts';
import type { Pricing } from '../../../settings/catalog/model.ts';
import type { PriceCondition, Prices } from '../../../settings/catalog/price-condition.ts';

/**
 * A price or a condition that a file changes. `row`: the name of the price row. `null` means that there is
 * none.
 */
export type PriceChange = { model: string; row: string; field: string; from: unknown; to: unknown };

const mainPrices = ({ input, output, cachedInput }: Prices): Fields => ({
  input,
  output,
  cached_input: cachedInput,
});

const fieldsOf = (condition: PriceCondition): Fields => {
  const { above_input_tokens, hours, from, until, tier, region, factor, confirmed_at } = condition.row;
  const members = { above_input_tokens, hours, from, until, tier, region, confirmed_at };
  return { ...mainPrices(condition), ...members, ...(factor !== 1 && { factor }) };
};

const rowsOf = (pricing: Pricing): ReadonlyMap<string, Fields> =>
  new Map<string, Fields>([
    [BASE_ROW, mainPrices(pricing)],
    ...(pricing.conditions ?? []).map((condition): [string, Fields] => [condition.name, fieldsOf(condition)]),
  ]);

/** Compares all rows of two prices of a model, in the order of the later ones. */
export function priceChanges(model: string, now: Pricing, next: Pricing): PriceChange[] {
  const before = rowsOf(now);
  const after = rowsOf(next);
  const changes = [...new Set([...after.keys(), ...before.keys()])].flatMap((row) =>
    changedFields(before.get(row) ?? {}, after.get(row) ?? {}).map((change) => ({ model, row, ...change })),
  );
  if (changes.length > 0) return changes;
  const from = conditionNames(before);
  const to = conditionNames(after);
  return from.join() === to.join() ? [] : [{ model, row: BASE_ROW, field: 'order', from, to }];
}

/** Returns the names of the rows after the base row. */
const conditionNames = (rows: ReadonlyMap<string, Fields>): string[] => [...rows.keys()].slice(1);

function changedFields(before: Fields, after: Fields): Pick<PriceChange, 'field' | 'from' | 'to'>[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}
