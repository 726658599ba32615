import { factorRows, priceRows } from '../../api/usage/price-rows.ts';
import { factorsSchema, priceRowSchema } from '../../api/usage/receipt-description.ts';
import { shortfallReasons } from '../../api/usage/shortfall-reasons.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { deliveryOf } from '../../money/ledger/delivery.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { requestOfDifference } from '../../money/ledger/entry-id.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import { priceOfRate } from '../../money/ledger/rates.ts';

import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const count = Type.Integer();

const receiptSchema = Type.Object(
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
    shortfall_reason: orNull(Type.Enum(['purchased_balance', 'key_cap', 'budget'])),
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

export const entry = Type.Object(
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
    balance: Type.Enum(['monthly', 'purchased']),
    reason: orNull(text),
    receipt: orNull(receiptSchema),
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
export type EntryView = ViewOf<typeof entry>;

export function entryView(entry: WrittenEntry): EntryView {
  const { id, at, kind, period, microcredits, receipt, reason, sequence, hash, isUnreadable } = entry;
  const listCost = receipt && listCostOf(entry, receipt);
  return {
    id,
    at: isoTime(at),
    kind,
    key_id: receipt?.keyId ?? null,
    request_id: receipt?.requestId ?? requestOfDifference(id) ?? null,
    model: receipt?.model ?? null,
    served_model: receipt?.servedModel ?? null,
    input_tokens: receipt?.tokens.input ?? null,
    cached_input_tokens: receipt?.tokens.cachedInput ?? null,
    output_tokens: receipt?.tokens.output ?? null,
    microcredits,
    list_cost_microcredits: listCost,
    shortfall_microcredits: listCost && listCost - microcredits,
    balance: balanceOf(period),
    reason,
    receipt: receipt && receiptView(entry, receipt),
    sequence,
    hash,
    ...(isUnreadable && { unreadable: true }),
  };
}

function receiptView(entry: WrittenEntry, receipt: Receipt): ViewOf<typeof receiptSchema> {
  const { tokens, rates, shortfall } = receipt;
  const listCost = listCostOf(entry, receipt);
  return {
    endpoint: receipt.endpoint ?? null,
    ended_at: isoTimeOrNull(receipt.endedAt ?? null),
    cache_write_input_tokens: tokens.cacheWriteInput,
    reasoning_tokens: tokens.reasoning,
    price_row: receipt.priceRow ?? BASE_ROW,
    rates_usd_per_mtok: {
      input: priceOfRate(rates.input),
      cached_input: priceOfRate(rates.cachedInput),
      output: priceOfRate(rates.output),
    },
    ...(receipt.detail && { prices: priceRows(receipt), factors: factorRows(receipt) ?? [] }),
    max_output_tokens: receipt.outputCeiling ?? null,
    held_microcredits: receipt.heldMicrocredits,
    list_cost_microcredits: listCost,
    shortfall_microcredits: listCost - entry.microcredits,
    shortfall_reason: shortfall ? shortfallReasons[shortfall.bound].name : null,
    beyond_cap_microcredits: receipt.beyondCapMicrocredits ?? 0,
    attempts: receipt.attempts,
    tried: receipt.tried.map(({ provider, model, outcome }) => ({ provider, model, outcome })),
    outcome: receipt.outcome,
    estimated: receipt.isEstimated,
    delivered: deliveryOf(receipt, entry),
    ...(receipt.isSimulated && { simulated: true }),
  };
}
