import type { Outcome, WrittenEntry } from '../ledger/entry.ts';
import { balanceOf } from '../ledger/period.ts';
import { isoTime } from '../lib/iso-time.ts';

const deliveryOf = (outcome: Outcome, isUnconfirmed: boolean): 'yes' | 'no' | 'unknown' => {
  if (outcome !== 'complete') return 'no';
  return isUnconfirmed ? 'unknown' : 'yes';
};

/** Millionths of a micro-credit per token → USD per million tokens. */
const UNITS_PER_USD = 500_000_000;

export function entryView({
  id,
  at,
  kind,
  period,
  microcredits,
  receipt,
  reason,
  sequence,
  hash,
  isUnconfirmed = false,
  isUnreadable,
}: WrittenEntry) {
  return {
    id,
    at: isoTime(at),
    kind,
    key_id: receipt?.keyId ?? null,
    request_id: receipt?.requestId ?? null,
    model: receipt?.model ?? null,
    served_model: receipt?.servedModel ?? null,
    input_tokens: receipt?.tokens.input ?? null,
    cached_input_tokens: receipt?.tokens.cachedInput ?? null,
    output_tokens: receipt?.tokens.output ?? null,
    microcredits,
    balance: balanceOf(period),
    reason,
    receipt: receipt && {
      cache_write_input_tokens: receipt.tokens.cacheWriteInput,
      reasoning_tokens: receipt.tokens.reasoning,
      rates_usd_per_mtok: {
        input: receipt.rates.input / UNITS_PER_USD,
        cached_input: receipt.rates.cachedInput / UNITS_PER_USD,
        output: receipt.rates.output / UNITS_PER_USD,
      },
      held_microcredits: receipt.heldMicrocredits,
      attempts: receipt.attempts,
      tried: receipt.tried.map(({ provider, model, outcome }) => ({ provider, model, outcome })),
      outcome: receipt.outcome,
      estimated: receipt.isEstimated,
      delivered: deliveryOf(receipt.outcome, isUnconfirmed),
    },
    sequence,
    hash,
    ...(isUnreadable && { unreadable: true }),
  };
}
