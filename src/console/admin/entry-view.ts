import { factorRows, priceRows } from '../../api/usage/price-rows.ts';
import { shortfallReasons } from '../../api/usage/shortfall-reasons.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { deliveryOf } from '../../money/ledger/delivery.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { requestOfDifference } from '../../money/ledger/entry-id.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import { priceOfRate } from '../../money/ledger/rates.ts';

export function entryView(entry: WrittenEntry) {
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

function receiptView(entry: WrittenEntry, receipt: Receipt) {
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
