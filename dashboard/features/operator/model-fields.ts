import type { EffectiveRow } from '../../../src/console/settings/effective-row.ts';
import type { PriceConditionRow, PriceRow } from '../../../src/settings/config/price-schema.ts';

/** The member with the prices of a row. */
export const PRICES = 'pricing_usd_per_mtok';
/** The price rows with conditions. */
export const CONDITIONS = `${PRICES}.conditions`;

type ModelRoute = EffectiveRow['routes'][number];
/** The members of a route that the form changes. */
export type RouteMember = 'provider' | 'model' | 'weight';

/** The members of a model's row that the form changes, as a catalog file has them. */
export type ModelFields = Pick<
  EffectiveRow,
  'display_name' | 'plan' | 'context_window' | 'max_output' | 'aliases' | 'capabilities' | typeof PRICES
> & {
  routes: readonly (Pick<ModelRoute, RouteMember> & Partial<ModelRoute>)[];
};

/** The members of a row that the form sends. The server checks their values. */
export type ModelBody = { [Member in keyof ModelFields]?: unknown };

/** The capabilities that the form can change. */
export const abilities = [
  'tools',
  'reasoning',
  'vision',
  'documents',
] as const satisfies readonly (keyof ModelFields['capabilities'])[];
export type Ability = (typeof abilities)[number];

/** The members of a price. */
export const basePrices = ['input', 'output', 'cached_input'] as const satisfies readonly (keyof PriceRow)[];
export type BasePrice = (typeof basePrices)[number];

/** The members of a price row with conditions that are texts. */
export const conditionTexts = [
  'name',
  'tier',
  'region',
  'from',
  'until',
] as const satisfies readonly (keyof PriceConditionRow)[];
/** The members of a price row with conditions that are numbers. */
export const conditionNumbers = [
  'above_input_tokens',
  'factor',
  ...basePrices,
] as const satisfies readonly (keyof PriceConditionRow)[];
export type ConditionText = (typeof conditionTexts)[number];
export type ConditionNumber = (typeof conditionNumbers)[number];

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
