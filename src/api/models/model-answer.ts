import { type TSchema, Type } from 'typebox';

const said = (schema: TSchema, description: string) => Type.Unsafe({ ...schema, description });
const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description });
const flag = Type.Boolean();
const texts = Type.Array(Type.String());

const pricing = Type.Object(
  {
    input: Type.Number(),
    output: Type.Number(),
    cached_input: orNull(Type.Number(), 'Null: repeated context earns no discount.'),
  },
  { description: 'US dollars for a million tokens.' },
);

const access = Type.Object({
  included: orNull(flag, "Whether the caller's plan includes the model; null without a key."),
  plan: orNull(Type.String(), "The caller's plan; null without a key."),
  unlocked_by: Type.String({ description: 'The cheapest plan that includes the model.' }),
  payg: Type.Boolean({ description: 'Whether pay-as-you-go mode includes it.' }),
});

/** The fields of an entry of `/v1/models`. */
export const modelFields = {
  id: Type.String({ description: 'What goes into `model`.' }),
  object: Type.Literal('model'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  owned_by: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  delivery: said(
    Type.Enum(['exact', 'optimized']),
    '`exact` is always this very model; with `optimized` the server may choose how it is placed.',
  ),
  aliases: said(texts, 'Other spellings that mean the same model.'),
  tier: Type.String(),
  context_window: Type.Integer({ description: 'Tokens that the model takes in all.' }),
  max_output: orNull(Type.Integer(), 'The most tokens of an answer, where there is such a limit.'),
  capabilities: Type.Object({ tools: flag, reasoning: flag, vision: flag, documents: flag }),
  pricing_usd_per_mtok: pricing,
  supported_parameters: said(texts, 'The request fields that the model honours.'),
  native_wires: said(texts, 'Protocols in which the model is reached without translation.'),
  output_dimensions: Type.Optional(Type.Integer({ description: 'Embedding models only.' })),
  '{brand}': Type.Object({ access }, { description: "The server's own extension." }),
};

const model = Type.Object(modelFields, { title: 'Model' });

const anthropicModel = Type.Object(
  {
    type: Type.Literal('model'),
    id: Type.String(),
    display_name: Type.String(),
    created_at: Type.String({ description: 'ISO 8601.' }),
  },
  { title: 'Anthropic Model' },
);

const anthropicPage = Type.Object(
  {
    data: Type.Array(anthropicModel),
    has_more: flag,
    first_id: Type.Union([Type.String(), Type.Null()]),
    last_id: Type.Union([Type.String(), Type.Null()]),
  },
  { title: 'Anthropic Model Page' },
);

const list = Type.Object({ object: Type.Literal('list'), data: Type.Array(model) }, { title: 'Model List' });

/** What the two addresses answer, without and with an `anthropic-version` header. */
export const modelListAnswer = Type.Union([list, anthropicPage]);
export const modelAnswer = Type.Union([model, anthropicModel]);
