import type { Static, TSchema } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { priceNames } from '../../translation/canonical/price-name.ts';

const describe = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Unsafe<Static<Schema>>({ ...schema, description });
const flag = Type.Boolean();
const texts = Type.Array(Type.String());

const pricing = Type.Object(
  {
    input: Type.Number(),
    output: Type.Number(),
    cached_input: orNull(Type.Number(), '`null` means that cached input has no discount.'),
  },
  { description: 'US dollars per million tokens.' },
);

const access = Type.Object({
  included: orNull(flag, "The caller's plan includes the model. `null` means that the request has no key."),
  plan: orNull(Type.String(), "The caller's plan. `null` means that the request has no key."),
  unlocked_by: Type.String({ description: 'The cheapest plan that includes the model.' }),
  payg: Type.Boolean({ description: 'Pay-as-you-go mode includes the model.' }),
});

const efforts = describe(texts, 'The reasoning efforts that the model takes.');

const extras = Type.Optional(
  Type.Object(Object.fromEntries(priceNames.map((name) => [name, Type.Optional(Type.Number())])), {
    description:
      'Prices of usage beyond the token prices. Calls: USD per 1,000. Tokens: USD per million. `fast`, `ultrafast`, `priority`, `flex` and `inference_geo` are factors of the token prices.',
  }),
);

const pricedRow = {
  row: Type.String({ description: 'The name of the price row. `base` stands for the base prices.' }),
  input: Type.Number(),
  output: Type.Number(),
  cached_input: orNull(Type.Number(), '`null` means that cached input has no discount.'),
};

/** The price rows with conditions, as the catalog has them. */
export const conditionalPrices = Type.Object(
  {
    now: Type.Object(pricedRow, { description: 'The prices of a small request in the default tier.' }),
    next: orNull(
      Type.Object({ at: Type.String({ format: 'date-time' }), ...pricedRow }),
      'The next time at which these prices change.',
    ),
    conditions: Type.Array(
      Type.Object({
        name: Type.String(),
        above_input_tokens: Type.Optional(Type.Integer()),
        hours: Type.Optional(
          Type.Array(Type.Object({ days: texts, from: Type.String(), to: Type.String() })),
        ),
        from: Type.Optional(Type.String()),
        until: Type.Optional(Type.String()),
        tier: Type.Optional(Type.String()),
        region: Type.Optional(Type.String()),
        factor: Type.Optional(Type.Number()),
        source: Type.Optional(Type.String()),
        confirmed_at: Type.Optional(Type.String({ format: 'date' })),
        input: Type.Number(),
        output: Type.Number(),
        cached_input: pricedRow.cached_input,
      }),
      {
        description:
          'All price rows with conditions, in order. The first row whose conditions all hold decides.',
      },
    ),
  },
  {
    description:
      'Prices with conditions, in US dollars per million tokens. Absent if the prices have no conditions.',
  },
);

const usd = (description: string) => Type.Optional(Type.Number({ description }));

/** The prices of quantities other than tokens. */
export const meteredPrices = Type.Object(
  {
    per_image: Type.Optional(
      Type.Array(
        Type.Object({
          size: Type.Optional(Type.String()),
          quality: Type.Optional(Type.String()),
          usd: Type.Number(),
        }),
        { description: 'Prices per image. The first row that matches the size and the quality decides.' },
      ),
    ),
    per_second: usd('USD per second of sound.'),
    per_million_characters: usd('USD per million characters of the text to speak.'),
    per_1000_documents: usd('USD per 1,000 documents.'),
    per_request: usd('USD per request.'),
  },
  { description: 'Prices of quantities other than tokens. Absent if the model has none.' },
);

const state = {
  available: Type.Optional(
    Type.Literal(false, { description: 'No provider is set up for the model, so it cannot be called.' }),
  ),
  simulated: Type.Optional(
    Type.Literal(true, { description: 'The simulator answers in place of the model, free of charge.' }),
  ),
};

/** The fields of an entry of `/v1/models`. */
export const modelFields = {
  id: Type.String({ description: 'The id to send as `model`.' }),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  owned_by: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  delivery: describe(
    Type.Enum(['exact', 'optimized']),
    '`exact`: this model always answers. `optimized`: the server can choose the physical model.',
  ),
  aliases: describe(texts, 'Other accepted names of the model.'),
  tier: Type.String(),
  context_window: Type.Integer({
    description:
      'The maximum of input and output tokens together. Zero for models that neither chat nor embed.',
  }),
  max_output: orNull(Type.Integer(), 'The maximum of output tokens. `null` means no separate limit.'),
  capabilities: Type.Object({ tools: flag, reasoning: flag, vision: flag, documents: flag }),
  pricing_usd_per_mtok: pricing,
  supported_parameters: describe(texts, 'The request fields that the model supports.'),
  native_wires: describe(texts, 'The protocols that reach the model without translation.'),
  output_dimensions: Type.Optional(
    Type.Integer({ description: 'The default length of vectors. Embedding models only.' }),
  ),
  ...state,
  '{brand}': Type.Object(
    {
      reasoning_efforts: efforts,
      endpoints: describe(texts, 'The endpoints that serve the model.'),
      metered_usd: Type.Optional(meteredPrices),
      extras_usd: extras,
      prices: Type.Optional(conditionalPrices),
      access,
    },
    { description: "This server's extension." },
  ),
};

const model = Type.Object(modelFields, { title: 'Model' });

const anthropicModel = Type.Object(
  {
    type: Type.Literal('model'),
    id: Type.String(),
    display_name: Type.String(),
    created_at: Type.String({ format: 'date-time', description: 'ISO 8601.' }),
    capabilities: Type.Object(
      {},
      { description: 'What the model can do, in the form of the Anthropic API.' },
    ),
    lifecycle: Type.Enum(['active', 'deprecated', 'retired']),
    line: orNull(Type.String()),
    max_input_tokens: Type.Integer(),
    max_tokens: orNull(Type.Integer()),
    deprecated_at: orNull(Type.String({ format: 'date-time' }), '`null` means that the model is active.'),
    retires_at: orNull(Type.String({ format: 'date-time' }), '`null` means that no retirement is announced.'),
    ...state,
  },
  { title: 'Anthropic Model' },
);
export type AnthropicModel = Static<typeof anthropicModel>;

const anthropicPage = Type.Object(
  {
    data: Type.Array(anthropicModel),
    has_more: Type.Boolean({ description: 'Models follow in the direction of paging.' }),
    first_id: orNull(Type.String()),
    last_id: orNull(Type.String()),
  },
  { title: 'Anthropic Model Page' },
);
export type AnthropicPage = Static<typeof anthropicPage>;

const list = Type.Object({ object: Type.Literal('list'), data: Type.Array(model) }, { title: 'Model List' });

/** The answers of both endpoints, without and with an `anthropic-version` header. */
export const modelListAnswer = Type.Union([list, anthropicPage]);
export const modelAnswer = Type.Union([model, anthropicModel]);

/** The 404 answer of the catalog, which has its own envelope. */
export const modelNotFound = Type.Object(
  {
    type: Type.Optional(Type.Literal('error')),
    error: Type.Object(
      { type: Type.Literal('not_found'), message: Type.String() },
      { additionalProperties: false },
    ),
  },
  { title: 'Model Not Found', additionalProperties: false },
);
