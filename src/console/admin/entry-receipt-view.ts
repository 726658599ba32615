import { factorRows, priceRows } from '../../api/usage/price-rows.ts';
import { factorsSchema, priceRowSchema } from '../../api/usage/receipt-description.ts';
import { shortfallReasons } from '../../api/usage/shortfall-reasons.ts';
import { isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { deliveryOf } from '../../money/ledger/delivery.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import { priceOfRate } from '../../money/ledger/rates.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const count = Type.Integer();

/** The receipt of a usage entry as operators see it, with the calls to providers. */
export const entryReceipt = Type.Object(
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
    simulated: Type.Optional(Type.Literal(true, { description: 'The simulator answered, free of charge.' })),
  },
  { description: 'The data that the charge was computed from.' },
);

/** Shows the receipt of a usage entry. */
export function entryReceiptView(entry: WrittenEntry, receipt: Receipt): ViewOf<typeof entryReceipt> {
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
