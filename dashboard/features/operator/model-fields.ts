import type { ModelRow } from './rows.ts';

export type JsonMembers = Readonly<Record<string, unknown>>;

/** The member with the prices of a row. The names of their fields in the form begin with it. */
export const PRICES = 'pricing_usd_per_mtok';
export const CONDITIONS = `${PRICES}.conditions`;
export const ROUTES = 'routes';
/** The number of the row that a part of the form began with. Members without a field are kept from it. */
export const ORIGIN = 'origin';

type Prices = JsonMembers & { conditions?: readonly JsonMembers[] };

/** A row of a model, as a catalog file has it. The form changes these members and others with one value. */
export type ModelFields = JsonMembers & {
  aliases: readonly string[];
  capabilities: Readonly<Record<string, boolean>>;
  [PRICES]: Prices | null;
  routes: readonly JsonMembers[];
};

/** The capabilities that the form can change. */
export const abilities = [
  'tools',
  'reasoning',
  'vision',
  'documents',
] as const satisfies readonly (keyof ModelRow['capabilities'])[];

/** The members of a price, and those of a price row that a form can change. */
export const basePrices = ['input', 'output', 'cached_input'] as const;
export const conditionTexts = ['name', 'tier', 'region', 'from', 'until'] as const;
export const conditionNumbers = ['above_input_tokens', 'factor', ...basePrices] as const;

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
