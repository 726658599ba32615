import { type Static, Type } from 'typebox';
import { extras } from '../../translation/canonical/extra.ts';
import { MOST_USD_PER_MTOK } from '../plans/amounts.ts';
import { planIds } from '../plans/plan.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { WireSchema } from './provider-schema.ts';
import { choice, mapping, nullable, row, section } from './schema-parts.ts';

const price = (description: string) => Type.Number({ minimum: 0, maximum: MOST_USD_PER_MTOK, description });
const flag = (description: string) => Type.Boolean({ default: false, description });
const tokens = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description });
const words = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [], description });

const PricingSchema = row(
  {
    input: price('Per million input tokens.'),
    output: price('Per million output tokens.'),
    cached_input: nullable(price(''), {
      description: 'Per million input tokens read from a cache. Null: no discount.',
    }),
  },
  { description: 'USD per million tokens.' },
);

const CapabilitiesSchema = section(
  {
    tools: flag('Calls tools.'),
    reasoning: flag('Thinks before it answers.'),
    vision: flag('Takes images.'),
    documents: flag('Takes documents.'),
  },
  { description: 'What it can do; requests that need more are refused.' },
);

const RouteSchema = row(
  {
    provider: Type.String({ minLength: 1, description: 'Id of a provider.' }),
    model: Type.String({ minLength: 1, description: "The provider's own name of the model." }),
    weight: Type.Number({
      minimum: 0,
      default: 1,
      description: 'Routes of a higher weight are tried first.',
    }),
    wires: nullable(Type.Array(WireSchema, { minItems: 1 }), {
      description: "Those of the provider's protocols that this model is served on. Null: all.",
    }),
  },
  { description: 'One way to reach the model.' },
);

const ModelSchema = row(
  {
    id: Type.String({ ...namePatterns.modelId, description: 'Public id; open weights as @brand/name.' }),
    display_name: nullable(Type.String({ minLength: 1 }), { description: 'Null: the id.' }),
    description: Type.String({ default: '', description: 'A sentence for people.' }),
    owned_by: Type.String({ default: 'unknown', description: 'Its maker.' }),
    source: nullable(Type.String(), { description: 'Where its figures come from.' }),
    created: Type.Integer({ minimum: 0, default: 1_700_000_000, description: 'Release, in Unix seconds.' }),
    kind: choice(['chat', 'embedding'], { default: 'chat', description: 'What it produces.' }),
    output_dimensions: nullable(Type.Integer({ minimum: 1 }), {
      description: 'Length of its vectors; embedding models need it.',
    }),
    plan: choice(planIds, {
      default: 'starter',
      description: 'The cheapest plan that includes it; payg: none does.',
    }),
    launch: flag('In the Launch plan.'),
    tier: Type.String({
      minLength: 1,
      default: 'workhorse',
      description: 'Its class, for finding comparable models.',
    }),
    delivery: choice(['exact', 'optimized'], {
      default: 'optimized',
      description: 'exact: never substituted by a comparable model.',
    }),
    context_window: tokens('Tokens that fit, prompt and answer together.'),
    max_output: nullable(tokens(''), { description: 'Most tokens of one answer. Null: what fits.' }),
    capabilities: CapabilitiesSchema,
    reasoning_efforts: words('Effort levels that it honours.'),
    supported_parameters: words(
      'Shown to clients. Empty: derived from capabilities and wires. An embedding model that can give fewer dimensions names `dimensions`.',
    ),
    pricing_usd_per_mtok: PricingSchema,
    payg_pricing_usd_per_mtok: nullable(PricingSchema, {
      description: 'Rates in pay-as-you-go mode. Null: the listed ones.',
    }),
    native_batch_pricing_usd_per_mtok: nullable(PricingSchema, {
      description: "Rates of what goes through a provider's own batches. Null: the listed ones.",
    }),
    allow_unpriced: Type.Array(choice(extras), {
      default: [],
      maxItems: extras.length,
      description:
        'Members and hosted tools that reach the provider although they cost more than tokens. No account is billed for that part of their cost.',
    }),
    aliases: Type.Array(Type.String(namePatterns.modelName), {
      default: [],
      description: 'Further spellings, beside the derived ones.',
    }),
    comparable: Type.Array(Type.String(namePatterns.modelName), {
      default: [],
      description: 'Models that may stand in for it, best first.',
    }),
    routes: Type.Array(RouteSchema, { default: [], description: 'Tried by weight, then in order.' }),
  },
  { description: 'A model as clients see it.' },
);

const catalogFields = {
  models: Type.Array(ModelSchema, { default: [], description: 'Models, beside the default ones.' }),
  handles: mapping(namePatterns.modelName, Type.String(namePatterns.modelName), {
    default: {},
    description: 'Third-party names → model ids, for the chat endpoints.',
  }),
  previews: mapping(namePatterns.modelName, Type.String(namePatterns.modelName), {
    default: {},
    description: 'Unlisted names of models to come → model ids.',
  }),
};

export const CatalogSchema = section(
  {
    default: Type.Boolean({ default: true, description: 'false: only the models below.' }),
    ...catalogFields,
  },
  { description: 'The models.' },
);

/** A catalog in a file of its own. */
export const CatalogFileSchema = section(catalogFields, { description: 'A catalog of models.' });

export type CatalogFile = DeepReadonly<Static<typeof CatalogFileSchema>>;
export type CatalogModelRow = DeepReadonly<Static<typeof ModelSchema>>;
