import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { extras } from '../../translation/canonical/extra.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import { MAX_USD_PER_MTOK } from '../plans/amounts.ts';
import { planIds } from '../plans/plan.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { MeteredSchema } from './metered-schema.ts';
import { namePatterns } from './name-patterns.ts';
import {
  confirmedAt,
  instant,
  lifeDates,
  ModelPricingSchema,
  PlainPricingSchema,
  ReplacedPricingSchema,
} from './price-schema.ts';
import { RefusesSchema, WireSchema } from './provider-schema.ts';
import { choice, mapping, nullable, row, section } from './schema-parts.ts';

const flag = (description: string) => Type.Boolean({ default: false, description });
const tokens = (description: string) => Type.Integer({ minimum: 1, maximum: 1_000_000_000, description });
const listOfTexts = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), { default: [], description });

const CapabilitiesSchema = section(
  {
    tools: flag('The model can call tools.'),
    reasoning: flag('The model can reason before it answers.'),
    vision: flag('The model accepts images.'),
    documents: flag('The model accepts documents.'),
  },
  { description: 'Capabilities of the model. A request that needs another capability is refused.' },
);

const usd = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: MAX_USD_PER_MTOK, description }));
const factor = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 100, description }));

const ExtrasSchema = section(
  {
    web_search: usd('USD per 1,000 web searches by the provider.'),
    image_generation: usd('USD per 1,000 images that a hosted tool generates.'),
    cache_write_5m: usd('USD per million input tokens that are cached for 5 minutes.'),
    cache_write_1h: usd('USD per million input tokens that are cached for 1 hour.'),
    cache_write_30m: usd('USD per million input tokens that are cached for 30 minutes.'),
    cache_write_12h: usd('USD per million input tokens that are cached for 12 hours.'),
    image_input: usd('USD per million tokens of input images, on image models.'),
    audio_input: usd('USD per million tokens of audio input.'),
    audio_output: usd('USD per million tokens of audio output.'),
    fast: factor('Factor of the token prices for answers in fast mode.'),
    priority: factor('Factor of the token prices for answers in the priority tier.'),
    flex: factor('Factor of the token prices for answers in the flex tier.'),
    ultrafast: factor('Factor of the token prices for answers in the ultrafast tier.'),
    inference_geo: factor('Factor of the token prices for answers from a requested region.'),
  } satisfies Record<PriceName, unknown>,
  {
    description:
      'Prices of usage beyond the token prices. Without a price, tokens cost the price of input or output, and a request for anything else follows `pricing.unpriced`.',
  },
);

const RouteSchema = row(
  {
    provider: Type.String({ minLength: 1, description: 'Id of a provider.' }),
    model: Type.String({ minLength: 1, description: "The provider's name for the model." }),
    weight: Type.Number({
      minimum: 0,
      default: 1,
      description: 'Routes with a higher weight are tried first.',
    }),
    wires: nullable(Type.Array(WireSchema, { minItems: 1 }), {
      description: 'Protocols of the provider that serve this model. `null` means all.',
    }),
    refuses: RefusesSchema,
    cost_usd_per_mtok: nullable(PlainPricingSchema, {
      description:
        'What you pay for tokens on this route, in USD per million. `null` means the prices of the model. Customers never see it.',
    }),
  },
  { description: 'A provider that serves the model.' },
);

export const ModelSchema = row(
  {
    id: Type.String({
      ...namePatterns.modelId,
      description: 'Public id. Open-weight models are named @brand/name.',
    }),
    display_name: nullable(Type.String({ minLength: 1 }), {
      description: 'Name for display. `null` means the id.',
    }),
    description: Type.String({ default: '', description: 'Short description for users.' }),
    owned_by: Type.String({ default: 'unknown', description: 'Maker of the model.' }),
    source: nullable(Type.String(), { description: 'Source of the prices and limits.' }),
    confirmed_at: confirmedAt,
    ...lifeDates,
    created: Type.Integer({
      minimum: 0,
      default: 1_700_000_000,
      description: 'Release date in Unix seconds.',
    }),
    kind: choice(modelKinds, { default: 'chat', description: 'Kind of model, which decides its endpoints.' }),
    output_dimensions: nullable(Type.Integer({ minimum: 1 }), {
      description: 'Length of the vectors. Required for embedding models.',
    }),
    plan: choice(planIds, {
      default: 'starter',
      description: 'Cheapest plan that includes the model. payg: no plan includes it.',
    }),
    launch: flag('The Launch plan includes the model.'),
    tier: Type.String({
      minLength: 1,
      default: 'workhorse',
      description: 'Class of the model, used to find comparable models.',
    }),
    delivery: choice(['exact', 'optimized'], {
      default: 'optimized',
      description: 'exact: the gateway never substitutes a comparable model.',
    }),
    context_window: nullable(tokens(''), {
      description: 'Maximum tokens of prompt and answer together. Required for chat and embedding models.',
    }),
    max_output: nullable(tokens(''), {
      description: 'Maximum tokens of one answer. `null` means that only the context window limits them.',
    }),
    capabilities: CapabilitiesSchema,
    reasoning_efforts: listOfTexts('Reasoning effort levels that the model supports.'),
    refuses: RefusesSchema,
    system_as: choice(['instructions', 'developer'], {
      default: 'instructions',
      description:
        'Place of system texts in translated requests on the wire `openai-responses`: `instructions`, or a first `developer` message.',
    }),
    supported_parameters: listOfTexts(
      'Request parameters that are shown to clients. Empty: derived from capabilities and wires. An embedding model lists `dimensions` if it supports shorter vectors.',
    ),
    pricing_usd_per_mtok: nullable(ModelPricingSchema, {
      description:
        'Prices in USD per million tokens. Required for chat and embedding models. `null` means that tokens cost nothing.',
    }),
    payg_pricing_usd_per_mtok: nullable(ModelPricingSchema, {
      description: 'Prices in pay-as-you-go mode. `null` means the same as `pricing_usd_per_mtok`.',
    }),
    native_batch_pricing_usd_per_mtok: nullable(ModelPricingSchema, {
      description:
        "Prices of batch items that run through a provider's own batch API. `null` means the usual prices.",
    }),
    extras_usd: ExtrasSchema,
    metered_usd: nullable(MeteredSchema, {
      description:
        'Prices of images, seconds, characters, documents and requests. Not for chat and embedding models.',
    }),
    allow_unpriced: Type.Array(choice(extras), {
      default: [],
      maxItems: extras.length,
      description:
        'Members and hosted tools that reach the provider although they cost more than tokens. No account is billed for the additional cost.',
    }),
    aliases: Type.Array(Type.String(namePatterns.modelName), {
      default: [],
      description: 'Alternative names, in addition to the derived ones.',
    }),
    comparable: Type.Array(Type.String(namePatterns.modelName), {
      default: [],
      description: 'Models that may substitute this model, best first.',
    }),
    routes: Type.Array(RouteSchema, {
      default: [],
      description: 'Routes to the model. They are tried by weight, then in order.',
    }),
  },
  { description: 'A model of the catalog.' },
);

const catalogFields = {
  models: Type.Array(ModelSchema, { default: [], description: 'Models in addition to the default catalog.' }),
  handles: mapping(namePatterns.modelName, Type.String(namePatterns.modelName), {
    default: {},
    description: 'Third-party model names and the model ids that serve them, on the chat endpoints only.',
  }),
  previews: mapping(namePatterns.modelName, Type.String(namePatterns.modelName), {
    default: {},
    description: 'Names of future models and the model ids that serve them. The names are not listed.',
  }),
};

export const CatalogSchema = section(
  {
    default: Type.Boolean({ default: true, description: 'false: the default catalog is not loaded.' }),
    list_unavailable: Type.Boolean({
      default: false,
      description: 'true: `/v1/models` also lists models without a provider, with `available: false`.',
    }),
    unknown_models: choice(['refuse', 'pass'], {
      default: 'refuse',
      description:
        'refuse: a model that is not in the catalog is `404 unknown_model`. pass: `provider/model` goes to that provider, at the prices of `default_pricing_usd_per_mtok`.',
    }),
    default_pricing_usd_per_mtok: nullable(PlainPricingSchema, {
      description: 'Prices of models that are not in the catalog. Required with `unknown_models: pass`.',
    }),
    prices: mapping(namePatterns.modelName, ReplacedPricingSchema, {
      default: {},
      description:
        'Prices by model that replace those of the default catalog and of `models`. `bin/tollgate catalog update FILE` writes them.',
    }),
    price_keys: Type.Array(
      Type.String({
        pattern: '^[A-Za-z0-9+/]{43}=$',
        expected: 'the base64 text of a public key of 32 bytes',
      }),
      {
        default: [],
        maxItems: 16,
        description:
          'Public keys (Ed25519) for price files. While there is one, `catalog update` accepts signed files only.',
      },
    ),
    prices_issued_at: nullable(instant(''), {
      description:
        'Time at which the latest price file was issued. `catalog update` writes it. While there are `price_keys`, older files are refused.',
    }),
    ...catalogFields,
  },
  { description: 'The catalog of models.' },
);

export const CatalogFileSchema = section(catalogFields, { description: 'A catalog of models.' });

export type CatalogFile = DeepReadonly<Static<typeof CatalogFileSchema>>;
export type CatalogModelRow = DeepReadonly<Static<typeof ModelSchema>>;
