import {
  abilities,
  basePrices,
  CONDITIONS,
  conditionNumbers,
  conditionTexts,
  type JsonMembers,
  type ModelFields,
  ORIGIN,
  PRICES,
  ROUTES,
} from './model-fields.ts';

/** The values of the form of a model by the names of its fields. */
export type ModelFormValues = Readonly<Record<string, string>>;

/** Returns the values of the form for a row. */
export function valuesOf(row: ModelFields): ModelFormValues {
  const prices = row[PRICES];
  return {
    ...textsOf(row, ['display_name', 'plan', 'context_window', 'max_output']),
    aliases: row.aliases.join(', '),
    ...Object.fromEntries(
      abilities
        .filter((ability) => row.capabilities[ability])
        .map((ability) => [`capabilities.${ability}`, 'on']),
    ),
    ...(prices && textsOf(prices, basePrices, `${PRICES}.`)),
    ...rowTexts(CONDITIONS, prices?.conditions ?? [], [...conditionTexts, ...conditionNumbers]),
    ...rowTexts(ROUTES, row.routes, ['provider', 'model', 'weight']),
  };
}

const rowTexts = (part: string, rows: readonly JsonMembers[], names: readonly string[]): ModelFormValues =>
  Object.assign(
    {},
    ...rows.map((row, index) => ({
      [`${part}[${index}].${ORIGIN}`]: String(index),
      ...textsOf(row, names, `${part}[${index}].`),
    })),
  );

/** Returns the members as texts, under their names with a prefix. A member without a value is empty. */
const textsOf = (members: JsonMembers, names: readonly string[], prefix = ''): ModelFormValues =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, String(members[name] ?? '')]));
