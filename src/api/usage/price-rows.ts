import type { ChargeLine } from '../../money/ledger/charge-detail.ts';
import type { Receipt } from '../../money/ledger/entry.ts';
import { usdOfUnitRate } from '../../money/ledger/metered-rates.ts';
import { priceOfRate } from '../../money/ledger/rates.ts';
import { meteredUnits } from '../../translation/canonical/metered.ts';

export type ReceiptRow = {
  kind: string;
  tokens: number;
  usd_per_mtok: number;
  microcredits: number;
  calls?: number;
  usd_per_1000_calls?: number;
  count?: number;
  usd_per_unit?: number;
  model?: string;
};

/**
 * Returns one row for each kind of token, call or metered quantity.
 * Input that is written to a cache is charged like other input.
 */
export function priceRows(receipt: Receipt): ReceiptRow[] {
  const { rates, detail } = receipt;
  const own = ownTokens(receipt);
  const rows = [
    ['uncached_input', own.uncachedInput, rates.input],
    ['cached_input', own.cachedInput, rates.cachedInput],
    ['cache_write_input', own.cacheWriteInput, rates.input],
    ['output', own.output, rates.output],
  ] as const;
  return [
    ...rows.map(([kind, count, rate]) => tokenRow(kind, count, rate)),
    ...(detail?.lines ?? []).map(lineRow),
  ];
}

const tokenRow = (kind: string, count: number, rate: number): ReceiptRow => ({
  kind,
  tokens: count,
  usd_per_mtok: priceOfRate(rate),
  microcredits: (count * rate) / 1_000_000,
});

/** Returns the tokens that no line of the detail has counted. */
function ownTokens({ tokens, detail }: Receipt) {
  const taken = { input: 0, cacheWriteInput: 0, cachedInput: 0, output: 0 };
  for (const { of, dimension, count } of detail?.lines ?? []) {
    if (of === null) continue;
    taken[of === 'input' && dimension.startsWith('cache_write') ? 'cacheWriteInput' : of] += count;
  }
  const writes = tokens.cacheWriteInput - taken.cacheWriteInput;
  const uncached = tokens.input - tokens.cachedInput - tokens.cacheWriteInput - taken.input;
  return {
    // Tokens of a fallback may themselves have been written to a cache.
    uncachedInput: Math.max(0, uncached),
    cacheWriteInput: writes + Math.min(0, uncached),
    cachedInput: tokens.cachedInput - taken.cachedInput,
    output: tokens.output - taken.output,
  };
}

const places = { input: 'input', cachedInput: 'cached_input', output: 'output' } as const;
const kindsBeside = new Set(['compaction', 'advisor', 'fallback', 'image', 'other']);
const CALLS_PER_PRICE = 1_000;
const units: ReadonlySet<string> = new Set(meteredUnits);

function lineRow({ dimension, model, count, rate, of }: ChargeLine): ReceiptRow {
  const named = model === null ? {} : { model };
  if (of !== null) {
    const kind = kindsBeside.has(dimension) ? `${dimension}_${places[of]}` : dimension;
    return { ...tokenRow(kind, count, rate), ...named };
  }
  return {
    ...tokenRow(dimension, 0, 0),
    ...(units.has(dimension)
      ? { count, usd_per_unit: usdOfUnitRate(rate) }
      : { calls: count, usd_per_1000_calls: priceOfRate(rate) / CALLS_PER_PRICE }),
    microcredits: (count * rate) / 1_000_000,
    ...named,
  };
}

/** Returns what the rates were multiplied by, and why. Returns undefined if they are the model's own. */
export const factorRows = ({ detail }: Receipt) =>
  detail && detail.factors.length > 0
    ? detail.factors.map(([dimension, factor]) => ({ dimension, factor }))
    : undefined;
