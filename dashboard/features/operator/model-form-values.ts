import {
  type Ability,
  abilities,
  type BasePrice,
  basePrices,
  CONDITIONS,
  type ModelFields,
  PRICES,
} from './model-fields.ts';
import { type ModelFormValues, valuesOfRows } from './model-form-rows.ts';

export const abilityField = (ability: Ability): string => `capabilities.${ability}`;
export const priceField = (price: BasePrice): string => `${PRICES}.${price}`;

/** Returns the values of the form for a row. An empty field stands for a member without a value. */
export function valuesOf(row: ModelFields): ModelFormValues {
  const prices = row[PRICES];
  const checked = abilities.filter((ability) => row.capabilities[ability]);
  return {
    display_name: row.display_name ?? '',
    plan: row.plan,
    context_window: String(row.context_window ?? ''),
    max_output: String(row.max_output ?? ''),
    aliases: row.aliases.join(', '),
    ...Object.fromEntries(checked.map((ability) => [abilityField(ability), 'on'])),
    ...(prices &&
      Object.fromEntries(basePrices.map((price) => [priceField(price), String(prices[price] ?? '')]))),
    ...valuesOfRows(CONDITIONS, prices?.conditions ?? []),
    ...valuesOfRows('routes', row.routes),
  };
}
