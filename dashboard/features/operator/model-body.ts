import {
  abilities,
  CONDITIONS,
  conditionNumbers,
  conditionTexts,
  type JsonMembers,
  type ModelFields,
  ORIGIN,
  PRICES,
  ROUTES,
} from './model-fields.ts';
import { type ModelFormValues, valuesOf } from './model-form-values.ts';

/** Returns the fields in which the form differs from the row. */
export function changesOf(values: ModelFormValues, row: ModelFields): JsonMembers {
  const before = fieldsOf(valuesOf(row), row);
  const after = fieldsOf(values, row);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

/** Returns the fields of a row with the values of a form. */
export function fieldsOf(values: ModelFormValues, row: ModelFields): JsonMembers {
  const prices = row[PRICES];
  const aliases = (values.aliases ?? '').split(',').map((name) => name.trim());
  const isChecked = (ability: string) => values[`capabilities.${ability}`] === 'on';
  return {
    display_name: values.display_name || null,
    plan: values.plan,
    context_window: numberOrNull(values.context_window),
    max_output: numberOrNull(values.max_output),
    aliases: aliases.filter((name) => name !== ''),
    capabilities: {
      ...row.capabilities,
      ...Object.fromEntries(abilities.map((ability) => [ability, isChecked(ability)])),
    },
    ...(prices && { [PRICES]: pricesOf(values, prices.conditions) }),
    routes: rowsOf(values, ROUTES).map((route) => ({
      ...originOf(route, row.routes),
      provider: route.provider,
      model: route.model,
      weight: Number(route.weight || 1),
    })),
  };
}

/** The members of a price row that have a field. An empty field removes its member. */
const conditionMembers: ReadonlySet<string> = new Set([...conditionTexts, ...conditionNumbers]);

function pricesOf(values: ModelFormValues, before: readonly JsonMembers[] = []): JsonMembers {
  const conditions = rowsOf(values, CONDITIONS).map((row) => {
    const withoutField = Object.entries(originOf(row, before)).filter(
      ([name]) => !conditionMembers.has(name),
    );
    const texts = conditionTexts.filter((name) => row[name]).map((name) => [name, row[name]]);
    const numbers = conditionNumbers.filter((name) => row[name]).map((name) => [name, Number(row[name])]);
    return Object.fromEntries([...withoutField, ...texts, ...numbers]);
  });
  return {
    input: Number(values[`${PRICES}.input`]),
    output: Number(values[`${PRICES}.output`]),
    cached_input: numberOrNull(values[`${PRICES}.cached_input`]),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** Returns the rows of a part of the form, in their order. The number of a removed row is left out. */
function rowsOf(values: ModelFormValues, part: string): ModelFormValues[] {
  const rows: Record<string, string>[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith(`${part}[`)) continue;
    const [index = '', member = ''] = name.slice(part.length + 1).split('].');
    rows[Number(index)] = { ...rows[Number(index)], [member]: value };
  }
  return rows.filter(Boolean);
}

/** Returns the row that a row of the form began with. An added one began with none. */
const originOf = (row: ModelFormValues, before: readonly JsonMembers[]): JsonMembers =>
  before[Number(row[ORIGIN] || -1)] ?? {};

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);
