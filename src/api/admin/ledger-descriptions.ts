import { Type } from 'typebox';
import type { RouteDescription } from '../../edge/http/route.ts';
import { usageParameters, usageSchema } from '../usage/usage-view.ts';
import { adminAnswers, listOf, orNull } from './admin-answers.ts';
import { adjustmentBody, grantBody, purchaseBody } from './ledger-bodies.ts';
import { pageParameters } from './page-parameters.ts';

const credits = { group: 'Admin: credits', key: 'admin' } as const;
const text = Type.String();
const count = Type.Integer();
const balance = Type.Enum(['monthly', 'purchased']);

const receipt = Type.Object(
  {
    endpoint: orNull(text, "The route of the request; for a batch's item, the batch's endpoint."),
    ended_at: orNull(text, 'When the usage was settled.'),
    cache_write_input_tokens: Type.Integer({
      description: 'The part of the input that was written to a cache; charged like any input.',
    }),
    reasoning_tokens: Type.Integer({ description: 'The part of the output that is reasoning.' }),
    rates_usd_per_mtok: Type.Object({
      input: Type.Number(),
      cached_input: Type.Number(),
      output: Type.Number(),
    }),
    max_output_tokens: orNull(count, 'The highest output that each answer could have.'),
    held_microcredits: count,
    list_cost_microcredits: count,
    shortfall_microcredits: count,
    shortfall_reason: orNull(Type.Enum(['purchased_balance', 'key_cap'])),
    beyond_cap_microcredits: Type.Integer({
      description: "The part of the charge beyond the key's cap, which does not count against the key.",
    }),
    attempts: Type.Integer({ description: 'Calls of providers.' }),
    tried: Type.Array(Type.Object({ provider: text, model: text, outcome: text }), {
      description: 'The first of them: `answered`, or the code of why not.',
    }),
    outcome: Type.Enum(['complete', 'left', 'recovered', 'failed']),
    estimated: Type.Boolean({ description: 'Counted by us, since the upstream did not.' }),
    delivered: Type.Enum(['yes', 'no', 'unknown'], {
      description:
        "Whether the answer's end was handed over; unknown where the server ended at about that time.",
    }),
  },
  { description: 'What the amount was computed from.' },
);

const entry = Type.Object(
  {
    id: text,
    at: Type.String({ description: 'ISO 8601, UTC; of usage when the request was admitted.' }),
    kind: Type.Enum(['usage', 'grant', 'purchase', 'renewal', 'adjustment']),
    key_id: orNull(text),
    request_id: orNull(text),
    model: orNull(text),
    served_model: orNull(text),
    input_tokens: orNull(count, 'All input.'),
    cached_input_tokens: orNull(count, 'The part of it that was read from a cache.'),
    output_tokens: orNull(count),
    microcredits: Type.Integer({
      description: 'Spent by usage; given by the rest, or taken where negative.',
    }),
    list_cost_microcredits: orNull(count, 'Cost of the usage at its rates, before any bound.'),
    shortfall_microcredits: orNull(count, 'The part of the list cost that a balance or a cap did not cover.'),
    balance,
    reason: orNull(text),
    receipt: orNull(receipt),
    sequence: count,
    hash: Type.String({ description: "SHA-256 over this entry and the account's previous one." }),
    unreadable: Type.Optional(
      Type.Literal(true, {
        description: 'The entry was tampered with: only its id and its hash are known.',
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
    description: 'Where the ledger contradicts itself. Empty if it is consistent.',
  }),
});

const given = {
  answer: 'The account as it is now.',
  headers: [
    {
      name: 'Idempotency-Key',
      description:
        'Up to 200 characters: with the same one the change is made once, however often it is sent.',
    },
  ],
  answerStatus: 201,
  answerSchema: adminAnswers.account,
  errors: ['not_found', 'conflict', 'account_closed', 'idempotency_conflict'],
} satisfies Partial<RouteDescription>;

/** What the documentation says of the ledger's routes. */
export const ledgerDescriptions = {
  grant: {
    ...credits,
    ...given,
    summary: "Adds to this cycle's credits",
    body: grantBody.schema,
    bodyExample: { credits: 500, reason: 'an apology' },
  },
  purchase: {
    ...credits,
    ...given,
    summary:
      'Adds purchased credit, 500 credits for each USD; `purchases` in the configuration has the bounds',
    body: purchaseBody.schema,
    bodyExample: { usd: 20 },
  },
  adjust: {
    ...credits,
    ...given,
    summary: 'Corrects a balance, up or down',
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
    summary: 'Shows the receipt of a request, or any other entry',
    answer: "The entry, by its own id or by its request's.",
    answerSchema: Type.Object({ account_id: text, ...entry.properties }, { title: 'Account Ledger Entry' }),
    errors: ['not_found'],
  },
  usage: {
    ...credits,
    summary: "Adds up an account's usage",
    query: usageParameters('The beginning unless said.'),
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
    answer: 'What was looked at, and where it contradicts itself.',
    answerSchema: verification,
  },
} satisfies Record<string, RouteDescription>;
