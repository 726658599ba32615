import { factorsSchema, priceRowSchema } from '../../api/usage/receipt-description.ts';
import { usageParameters, usageSchema } from '../../api/usage/usage-view.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { adminAnswers, listOf, orNull } from './admin-answers.ts';
import { adjustmentBody, grantBody, purchaseBody } from './ledger-bodies.ts';
import { pageParameters } from './page-parameters.ts';

const credits = { group: 'Admin: credits', key: 'admin' } as const;
const text = Type.String();
const count = Type.Integer();
const balance = Type.Enum(['monthly', 'purchased']);

const receipt = Type.Object(
  {
    endpoint: orNull(text, "The route of the request. For a batch item: the batch's endpoint."),
    ended_at: orNull(time, 'The time at which the usage was settled.'),
    cache_write_input_tokens: Type.Integer({
      description: 'The part of the input that was written to a cache. It is charged like other input.',
    }),
    reasoning_tokens: Type.Integer({ description: 'The part of the output that is reasoning.' }),
    price_row: Type.String({
      description: 'The price row that decided the rates. `base` stands for the base prices.',
    }),
    rates_usd_per_mtok: Type.Object({
      input: Type.Number(),
      cached_input: Type.Number(),
      output: Type.Number(),
    }),
    prices: Type.Optional(
      Type.Array(priceRowSchema, {
        description: 'One row for each kind of token or call, if the charge has more than these rates.',
      }),
    ),
    factors: factorsSchema,
    max_output_tokens: orNull(count, 'The output ceiling of each answer.'),
    held_microcredits: count,
    list_cost_microcredits: count,
    shortfall_microcredits: count,
    shortfall_reason: orNull(Type.Enum(['purchased_balance', 'key_cap'])),
    beyond_cap_microcredits: Type.Integer({
      description: "The part of the charge beyond the key's cap, which does not count against the key.",
    }),
    attempts: Type.Integer({ description: 'The number of calls to providers.' }),
    tried: Type.Array(Type.Object({ provider: text, model: text, outcome: text }), {
      description: 'The first attempts. `outcome` is `answered` or the error code.',
    }),
    outcome: Type.Enum(['complete', 'left', 'recovered', 'failed']),
    estimated: Type.Boolean({
      description: 'The counts are an estimate, because the upstream reported no usable count.',
    }),
    delivered: Type.Enum(['yes', 'no', 'unknown'], {
      description:
        'Whether the end of the answer was sent. `unknown`: the server stopped at about that time.',
    }),
  },
  { description: 'The data that the charge was computed from.' },
);

const entry = Type.Object(
  {
    id: text,
    at: Type.String({
      format: 'date-time',
      description: 'ISO 8601, UTC. For usage: the time at which the request was admitted.',
    }),
    kind: Type.Enum(['usage', 'grant', 'purchase', 'renewal', 'adjustment']),
    key_id: orNull(text),
    request_id: orNull(text, 'An adjustment names the request whose estimate it corrects.'),
    model: orNull(text),
    served_model: orNull(text),
    input_tokens: orNull(count, 'All input tokens.'),
    cached_input_tokens: orNull(count, 'The part of the input that was read from a cache.'),
    output_tokens: orNull(count),
    microcredits: Type.Integer({
      description:
        'For usage: the amount charged. For other kinds: the amount added to the balance, or removed if negative.',
    }),
    list_cost_microcredits: orNull(count, 'Cost of the usage at its rates, before any limit.'),
    shortfall_microcredits: orNull(count, 'The part of the list cost that a balance or a cap did not cover.'),
    balance,
    reason: orNull(text),
    receipt: orNull(receipt),
    sequence: count,
    hash: Type.String({ description: "SHA-256 over this entry and the account's previous one." }),
    unreadable: Type.Optional(
      Type.Literal(true, {
        description: 'The entry was tampered with. Only its id and its hash are known.',
      }),
    ),
  },
  { title: 'Ledger Entry' },
);

export const faultSchema = Type.Object({
  account_id: orNull(text, 'Null: the fault belongs to no account.'),
  what: text,
  recorded: Type.Unknown(),
  recomputed: Type.Unknown(),
});

const verification = Type.Object({
  accounts: count,
  entries: count,
  faults: Type.Array(faultSchema, {
    description: 'The inconsistencies of the ledger. Empty: the ledger is consistent.',
  }),
});

const given = {
  answer: 'The updated account.',
  headers: [
    {
      name: 'Idempotency-Key',
      description: 'Up to 200 characters. Repeated requests with the same key make the change only once.',
      schema: Type.String({ minLength: 1, maxLength: 200 }),
    },
  ],
  answerStatus: 201,
  answerSchema: adminAnswers.account,
  errors: ['not_found', 'conflict', 'account_closed', 'idempotency_conflict'],
} satisfies Partial<RouteDescription>;

/** Describes the routes of the ledger. */
export const ledgerDescriptions = {
  grant: {
    ...credits,
    ...given,
    summary: "Adds credits to the account's current cycle",
    body: grantBody.schema,
    bodyExample: { credits: 500, reason: 'an apology' },
  },
  purchase: {
    ...credits,
    ...given,
    summary: 'Adds purchased credit, 500 credits per USD; `purchases` in the configuration limits the amount',
    body: purchaseBody.schema,
    bodyExample: { usd: 20 },
  },
  adjust: {
    ...credits,
    ...given,
    summary: 'Adjusts a balance by a positive or negative amount',
    body: adjustmentBody.schema,
    bodyExample: { credits: -12.5, balance: 'purchased', reason: 'charged back' },
  },
  list: {
    ...credits,
    summary: "Lists an account's ledger, newest first",
    query: pageParameters,
    answer: 'A page of entries.',
    answerSchema: listOf(entry),
    errors: ['not_found', 'invalid_request'],
  },
  show: {
    ...credits,
    summary: 'Shows a ledger entry, with the receipt of its request',
    answer: 'The entry, by its id or by the id of its request.',
    answerSchema: Type.Object({ account_id: text, ...entry.properties }, { title: 'Account Ledger Entry' }),
    errors: ['not_found'],
  },
  usage: {
    ...credits,
    summary: "Sums an account's usage",
    query: usageParameters("Default: the account's first entry."),
    answer: 'A sum for each model, key or day.',
    answerSchema: Type.Object({
      object: Type.Literal('list'),
      data: Type.Array(usageSchema),
      has_more: Type.Boolean(),
    }),
    errors: ['not_found', 'invalid_request'],
  },
  verify: {
    ...credits,
    summary: 'Recomputes every balance, sum and hash from the entries',
    answer: 'The number of verified accounts and entries, and the inconsistencies.',
    answerSchema: verification,
  },
} satisfies Record<string, RouteDescription>;
