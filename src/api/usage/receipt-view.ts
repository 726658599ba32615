import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { deliveryOf } from '../../money/ledger/delivery.ts';
import type { Receipt, WrittenEntry } from '../../money/ledger/entry.ts';
import { listCostOf } from '../../money/ledger/list-cost-of.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import { BASE_ROW } from '../../money/ledger/rate-row.ts';
import { explainCharge } from './explain-charge.ts';
import { factorRows, priceRows } from './price-rows.ts';
import type { UsageReceipt } from './receipt-description.ts';
import { shortfallReasons } from './shortfall-reasons.ts';

/**
 * Shows the receipt in the form that clients get. Providers and failed attempts are visible to operators
 * only.
 */
export function receiptView(entry: WrittenEntry, receipt: Receipt): UsageReceipt {
  const { microcredits } = entry;
  const { shortfall } = receipt;
  const listCost = listCostOf(entry, receipt);
  const factors = factorRows(receipt);
  return {
    object: 'usage.receipt',
    request_id: receipt.requestId,
    entry_id: entry.id,
    key_id: receipt.keyId,
    endpoint: receipt.endpoint ?? null,
    model: receipt.model,
    served_model: receipt.servedModel,
    started_at: isoTime(entry.at),
    ended_at: isoTimeOrNull(receipt.endedAt ?? null),
    tokens: tokensView(receipt),
    price_row: receipt.priceRow ?? BASE_ROW,
    prices: priceRows(receipt),
    ...(factors && { factors }),
    max_output_tokens: receipt.outputCeiling ?? null,
    held_microcredits: receipt.heldMicrocredits,
    list_cost_microcredits: listCost,
    shortfall_microcredits: listCost - microcredits,
    shortfall_reason: shortfall ? shortfallReasons[shortfall.bound].name : null,
    microcredits,
    credits: creditsOf(microcredits),
    balance: balanceOf(entry.period),
    outcome: receipt.outcome,
    delivered: deliveryOf(receipt, entry),
    ...(receipt.isSimulated && { simulated: true }),
    explanation: explainCharge(receipt, listCost - microcredits),
  };
}

const uncachedInput = ({ tokens }: Receipt): number =>
  tokens.input - tokens.cachedInput - tokens.cacheWriteInput;

const tokensView = (receipt: Receipt) => ({
  uncached_input: uncachedInput(receipt),
  cached_input: receipt.tokens.cachedInput,
  cache_write_input: receipt.tokens.cacheWriteInput,
  output: receipt.tokens.output,
  reasoning: receipt.tokens.reasoning,
  estimated: receipt.isEstimated,
});
