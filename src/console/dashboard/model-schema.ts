import type { Static } from 'typebox';
import { conditionalPrices, meteredPrices } from '../../api/models/model-schemas.ts';
import { recordOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import { limitField } from '../routes/page-fields.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const flag = Type.Boolean();

/** The capabilities to filter by. */
export const modelCapabilities = ['tools', 'reasoning', 'vision', 'documents'] as const;
/** The orders of the list. */
export const modelOrders = ['catalog', 'name', 'newest', 'input', 'output', 'context'] as const;

/** US dollars per million tokens. */
const prices = Type.Object({
  input: Type.Number(),
  output: Type.Number(),
  /** `null` means that cached input has no discount. */
  cached_input: orNull(Type.Number()),
});

const modelRow = {
  id: text,
  name: text,
  owned_by: text,
  kind: Type.Enum(modelKinds),
  tier: text,
  /** `optimized`: the server can choose the physical model. */
  delivery: Type.Enum(['exact', 'optimized']),
  context_window: Type.Integer(),
  max_output: orNull(Type.Integer()),
  capabilities: Type.Object(recordOf(modelCapabilities, () => flag)),
  prices,
  /** The prices of pay-as-you-go mode. */
  payg_prices: prices,
  /** The plan of the organization includes the model. */
  included: flag,
  /** The cheapest plan that includes the model. `payg`: no plan does. */
  unlocked_by: Type.Object({ id: Type.Enum(planIds), name: text }),
  /** True if a provider is set up for the model. */
  available: flag,
  /** The simulator answers in place of the model, free of charge. */
  simulated: flag,
};
const row = Type.Object(modelRow);
export type ModelRow = Static<typeof row>;

/**
 * `GET …/models`. `q`: words of the name, the id or the vendor. `capabilities`: names with commas, all of
 * which a model must have.
 */
export const modelsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
  owned_by: Type.Optional(Type.String({ maxLength: 200 })),
  tier: Type.Optional(Type.String({ maxLength: 200 })),
  kind: Type.Optional(Type.Enum(modelKinds)),
  capabilities: Type.Optional(
    Type.String({
      pattern: `^(${modelCapabilities.join('|')})(,(${modelCapabilities.join('|')})){0,${modelCapabilities.length - 1}}$`,
      expected: 'names of capabilities with commas',
    }),
  ),
  included: Type.Optional(Type.Enum(['yes', 'no'])),
  sort: Type.Optional(Type.Enum(modelOrders)),
  /** The number of models to skip. */
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999, expected: 'a whole number' })),
  limit: limitField(500),
});

const facet = Type.Array(Type.Object({ value: text, count: Type.Integer() }));

export const modelList = Type.Object({
  data: Type.Array(row),
  /** The models that fit the filters, and all models. */
  found: Type.Integer(),
  total: Type.Integer(),
  /** The value of `after` for the next page. `null` means that this is the last one. */
  next: orNull(text),
  plan: Type.Object({ id: Type.Enum(planIds), name: text }),
  /** The values of the filters, with the number of models that have them. */
  vendors: facet,
  tiers: facet,
});
export type ModelList = Static<typeof modelList>;

/** `GET …/models/{model}` */
export const modelDetail = Type.Object({
  ...modelRow,
  /** The rows of the prices. `null` means that the prices have no conditions. */
  rowed_prices: orNull(conditionalPrices),
  /** The prices of quantities other than tokens. `null` means that there are none. */
  metered_usd: orNull(meteredPrices),
  endpoints: Type.Array(text),
  description: text,
  aliases: Type.Array(text),
  /** Unix seconds. */
  created: Type.Integer(),
  supported_parameters: Type.Array(text),
  /** The protocols that reach the model without translation. */
  native_wires: Type.Array(text),
  output_dimensions: orNull(Type.Integer()),
  plan: Type.Object({ id: Type.Enum(planIds), name: text }),
  /** The plans that are open to accounts, in their order, and the organization's own. */
  plans: Type.Array(Type.Object({ id: Type.Enum(planIds), name: text, includes: flag, is_own: flag })),
});
export type ModelDetail = ViewOf<typeof modelDetail>;
