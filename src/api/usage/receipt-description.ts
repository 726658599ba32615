import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';

const text = Type.String();
const count = Type.Integer();

/** The tokens of a request by kind. */
export const receiptTokens = Type.Object({
  uncached_input: Type.Integer({
    description: 'Input that was neither read from a cache nor written to one.',
  }),
  cached_input: Type.Integer({ description: 'Input that was read from a cache.' }),
  cache_write_input: Type.Integer({ description: 'Input that was written to a cache.' }),
  output: Type.Integer({ description: 'All output, reasoning included.' }),
  reasoning: Type.Integer({ description: 'The part of the output that is reasoning.' }),
  estimated: Type.Boolean({ description: 'The counts are an estimate.' }),
});

/** One row of a charge. */
export const priceRowSchema = Type.Object({
  kind: Type.String({
    description:
      '`uncached_input`, `cached_input`, `cache_write_input` and `output` are always listed. Other kinds are listed if the answer has them, such as `web_search`, `cache_write_1h` or `compaction_output`.',
  }),
  tokens: count,
  usd_per_mtok: Type.Number({ description: 'USD per million tokens, as applied.' }),
  microcredits: Type.Number({
    description: 'The exact cost. The list cost is the sum of the rows, rounded up once.',
  }),
  calls: Type.Optional(Type.Integer({ description: 'The number of calls of a hosted tool.' })),
  usd_per_1000_calls: Type.Optional(Type.Number({ description: 'USD per 1,000 calls, as applied.' })),
  count: Type.Optional(
    Type.Number({
      description:
        'The number of images, seconds, characters, documents or requests. The kinds are `image`, `second`, `character`, `document` and `request`.',
    }),
  ),
  usd_per_unit: Type.Optional(Type.Number({ description: 'USD per unit of the count, as applied.' })),
  model: Type.Optional(
    Type.String({ description: 'The model whose tokens they are, if it did not answer.' }),
  ),
});

/** The factor of the prices. */
export const factorsSchema = Type.Optional(
  Type.Array(Type.Object({ dimension: text, factor: Type.Number() }), {
    description: 'The factors in the token prices, such as `fast` or `priority`.',
  }),
);

const receipt = Type.Object(
  {
    object: Type.Literal('usage.receipt'),
    request_id: text,
    entry_id: Type.String({ description: 'Id of the ledger entry, for the operator of this service.' }),
    key_id: Type.String({ description: 'The key that sent the request.' }),
    endpoint: orNull(
      Type.String({ description: "The route of the request. For a batch item: the batch's endpoint." }),
    ),
    model: Type.String({ description: 'The model that was requested.' }),
    served_model: Type.String({ description: 'The model that answered.' }),
    started_at: Type.String({
      format: 'date-time',
      description: 'The time at which the request was admitted. ISO 8601, UTC.',
    }),
    ended_at: orNull(
      Type.String({ format: 'date-time', description: 'The time at which the usage was settled.' }),
    ),
    tokens: receiptTokens,
    price_row: Type.String({
      description: 'The price row that decided the rates. `base` stands for the base prices.',
    }),
    prices: Type.Array(priceRowSchema, { description: 'One row for each kind of token or call.' }),
    factors: factorsSchema,
    max_output_tokens: orNull(
      Type.Integer({
        description: 'The output ceiling of each answer. `null` means that the answer has no output tokens.',
      }),
    ),
    held_microcredits: Type.Integer({ description: 'The amount that was held before the request was sent.' }),
    list_cost_microcredits: Type.Integer({ description: 'Cost of the tokens at these prices.' }),
    shortfall_microcredits: Type.Integer({ description: 'The part of the list cost that is not charged.' }),
    shortfall_reason: orNull(Type.Enum(['purchased_balance', 'key_cap', 'budget'])),
    microcredits: Type.Integer({ description: 'The charge in millionths of a credit.' }),
    credits: Type.Number({ description: 'The charge in credits.' }),
    balance: Type.Enum(['monthly', 'purchased'], { description: 'The balance that paid.' }),
    outcome: Type.Enum(['complete', 'left', 'recovered', 'failed']),
    delivered: Type.Enum(['yes', 'no', 'unknown'], {
      description:
        'Whether the end of the answer was sent. `unknown`: the server stopped at about that time.',
    }),
    simulated: Type.Optional(Type.Literal(true, { description: 'The simulator answered, free of charge.' })),
    explanation: Type.String({ description: 'The reason for the charge, in words.' }),
  },
  { title: 'Usage Receipt' },
);
export type UsageReceipt = Static<typeof receipt>;

/** Describes `GET /v1/usage/{request_id}`. */
export const receiptDescription: RouteDescription = {
  group: 'Credits and usage',
  key: 'either',
  summary:
    "Returns the receipt of a request, by the answer's `x-{brand}-request-id` or `id`; every key of the account can read it",
  answer: 'The receipt. Requests without a charge have no receipt.',
  answerSchema: receipt,
  errors: ['not_found'],
};
