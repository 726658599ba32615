/** A row of a model, as a catalog file has it. */
export type ModelFields = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, string>>;

export const abilities = ['tools', 'reasoning', 'vision', 'documents'] as const;
export const PRICES = 'pricing_usd_per_mtok';
export const CONDITIONS = `${PRICES}.conditions`;
export const ROUTES = 'routes';
/** The number of the row that a part of the form began with. Members without a field are kept from it. */
export const ORIGIN = 'origin';

const priceTexts = ['name', 'tier', 'region', 'from', 'until'] as const;
const priceNumbers = ['above_input_tokens', 'factor', 'input', 'output', 'cached_input'] as const;

/** The first values of the form of a new model. */
export const newModel: ModelFields = {
  display_name: null,
  plan: 'free',
  context_window: 128_000,
  max_output: null,
  aliases: [],
  capabilities: { tools: true, reasoning: false, vision: false, documents: false },
  [PRICES]: { input: 0, output: 0, cached_input: null },
  routes: [{ provider: '', model: '', weight: 1 }],
};

type Prices = { conditions?: readonly ModelFields[] } & ModelFields;

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** Returns the values of the form for a row. */
export function valuesOf(row: ModelFields): Values {
  const prices = row[PRICES] as Prices | null;
  const held = row.capabilities as Readonly<Record<string, boolean>>;
  return {
    display_name: textOf(row.display_name),
    plan: textOf(row.plan),
    context_window: textOf(row.context_window),
    max_output: textOf(row.max_output),
    aliases: (row.aliases as readonly string[]).join(', '),
    ...Object.fromEntries(
      abilities.filter((ability) => held[ability]).map((ability) => [`capabilities.${ability}`, 'on']),
    ),
    ...(prices && {
      ...Object.fromEntries(
        ['input', 'output', 'cached_input'].map((name) => [`${PRICES}.${name}`, textOf(prices[name])]),
      ),
      ...valuesOfRows(CONDITIONS, prices.conditions ?? [], [...priceTexts, ...priceNumbers]),
    }),
    ...valuesOfRows(ROUTES, row.routes as readonly ModelFields[], ['provider', 'model', 'weight']),
  };
}

const valuesOfRows = (place: string, rows: readonly ModelFields[], names: readonly string[]): Values =>
  Object.fromEntries(
    rows.flatMap((row, index) => [
      [`${place}[${index}].${ORIGIN}`, String(index)],
      ...names.map((name) => [`${place}[${index}].${name}`, textOf(row[name])]),
    ]),
  );

/** Returns the fields in which the form differs from the row. */
export function changesOf(values: Values, row: ModelFields): ModelFields {
  const before = fieldsOf(valuesOf(row), row);
  const after = fieldsOf(values, row);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

/** Returns the fields of a row with the values of a form. */
export function fieldsOf(values: Values, row: ModelFields): ModelFields {
  const prices = row[PRICES] as Prices | null;
  const aliases = (values.aliases ?? '').split(',').map((name) => name.trim());
  return {
    display_name: values.display_name || null,
    plan: values.plan,
    context_window: numberOrNull(values.context_window),
    max_output: numberOrNull(values.max_output),
    aliases: aliases.filter((name) => name !== ''),
    capabilities: {
      ...(row.capabilities as ModelFields),
      ...Object.fromEntries(
        abilities.map((ability) => [ability, values[`capabilities.${ability}`] === 'on']),
      ),
    },
    ...(prices && { [PRICES]: pricesOf(values, prices) }),
    routes: rowsOf(values, ROUTES).map((found) => ({
      ...without((row.routes as readonly ModelFields[])[Number(found[ORIGIN] || -1)], []),
      provider: found.provider,
      model: found.model,
      weight: Number(found.weight || 1),
    })),
  };
}

function pricesOf(values: Values, { conditions = [] }: Prices): ModelFields {
  const rows = rowsOf(values, CONDITIONS).map((found) => ({
    ...without(conditions[Number(found[ORIGIN] || -1)], [...priceTexts, ...priceNumbers]),
    ...Object.fromEntries(priceTexts.filter((name) => found[name]).map((name) => [name, found[name]])),
    ...Object.fromEntries(
      priceNumbers.filter((name) => found[name]).map((name) => [name, Number(found[name])]),
    ),
  }));
  return {
    input: Number(values[`${PRICES}.input`]),
    output: Number(values[`${PRICES}.output`]),
    cached_input: numberOrNull(values[`${PRICES}.cached_input`]),
    ...(rows.length > 0 && { conditions: rows }),
  };
}

/** Returns the rows of a part of the form, in their order. */
function rowsOf(values: Values, place: string): Record<string, string>[] {
  const rows: Record<string, string>[] = [];
  for (const [name, value] of Object.entries(values)) {
    if (!name.startsWith(`${place}[`)) continue;
    const [index, member] = name.slice(place.length + 1).split('].');
    rows[Number(index)] = { ...rows[Number(index)], [member!]: value };
  }
  return rows.filter(Boolean);
}

const without = (row: ModelFields | undefined, names: readonly string[]): ModelFields =>
  Object.fromEntries(Object.entries(row ?? {}).filter(([name]) => !names.includes(name)));

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);
