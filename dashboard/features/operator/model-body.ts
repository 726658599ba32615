import { entriesOf, recordOf } from '../../../src/base/lib/records.ts';
import type { PriceConditionRow } from '../../../src/settings/config/price-schema.ts';
import {
  abilities,
  CONDITIONS,
  conditionNumbers,
  conditionTexts,
  type ModelBody,
  type ModelFields,
  PRICES,
} from './model-fields.ts';
import { type FormRow, type ModelFormValues, rowsOfValues } from './model-form-rows.ts';
import { abilityField, priceField, valuesOf } from './model-form-values.ts';

/** Returns the members in which the form differs from the row. */
export function changesOf(values: ModelFormValues, row: ModelFields): ModelBody {
  const before = bodyOf(valuesOf(row), row);
  const after = bodyOf(values, row);
  return Object.fromEntries(
    entriesOf(after).filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(before[member])),
  );
}

/** Returns the members of a row with the values of a form. Members without a field are kept. */
export function bodyOf(values: ModelFormValues, row: ModelFields): ModelBody {
  const aliases = (values.aliases ?? '').split(',').map((name) => name.trim());
  return {
    display_name: values.display_name || null,
    plan: values.plan,
    context_window: numberOrNull(values.context_window),
    max_output: numberOrNull(values.max_output),
    aliases: aliases.filter((name) => name !== ''),
    capabilities: {
      ...row.capabilities,
      ...recordOf(abilities, (ability) => values[abilityField(ability)] === 'on'),
    },
    ...(row[PRICES] && { [PRICES]: pricesOf(values, row[PRICES].conditions) }),
    routes: rowsOfValues('routes', values).map(({ origin, texts: { provider, model, weight } }) => ({
      ...(origin !== undefined && row.routes[origin]),
      provider,
      model,
      weight: Number(weight || 1),
    })),
  };
}

function pricesOf(values: ModelFormValues, before: readonly PriceConditionRow[] = []) {
  const conditions = rowsOfValues(CONDITIONS, values).map((row) => conditionOf(row, before));
  return {
    input: Number(values[priceField('input')]),
    output: Number(values[priceField('output')]),
    cached_input: numberOrNull(values[priceField('cached_input')]),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** Returns a price row. An empty field removes its member, since a member that is undefined is not sent. */
const conditionOf = (
  { origin, texts }: FormRow<typeof CONDITIONS>,
  before: readonly PriceConditionRow[],
): { [Member in keyof PriceConditionRow]?: unknown } => ({
  ...(origin !== undefined && before[origin]),
  ...recordOf(conditionTexts, (member) => texts[member] || undefined),
  ...recordOf(conditionNumbers, (member) => numberOrNull(texts[member]) ?? undefined),
});

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);
