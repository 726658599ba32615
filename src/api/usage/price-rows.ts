import type { Static } from 'typebox';
import { keysOf } from '../../base/lib/records.ts';
import type { ChargeLine } from '../../money/ledger/charge-detail.ts';
import type { Receipt } from '../../money/ledger/entry.ts';
import { usdOfUnitRate } from '../../money/ledger/metered-rates.ts';
import { priceOfRate } from '../../money/ledger/rates.ts';
import { additionalWork } from './additional-work.ts';
import { meteredUnitOf } from './metered-unit-of.ts';
import type { priceRowSchema } from './receipt-description.ts';

const CALLS_PER_PRICE = 1_000;
const UNITS_PER_MICROCREDIT = 1_000_000;

/** One row of a charge. */
export type ReceiptRow = Static<typeof priceRowSchema>;

/**
 * Returns one row for each kind of token, call or metered quantity. Input that is written to a cache is
 * charged like other input.
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
  microcredits: (count * rate) / UNITS_PER_MICROCREDIT,
});

/** Returns the tokens that no line of the detail has counted. */
function ownTokens({ tokens, detail }: Receipt) {
  const inLines = { input: 0, cacheWriteInput: 0, cachedInput: 0, output: 0 };
  for (const { of: total, dimension, count } of detail?.lines ?? []) {
    if (total === null) continue;
    const isWrite = total === 'input' && dimension.startsWith('cache_write');
    inLines[isWrite ? 'cacheWriteInput' : total] += count;
  }
  const writes = tokens.cacheWriteInput - inLines.cacheWriteInput;
  const uncached = tokens.input - tokens.cachedInput - tokens.cacheWriteInput - inLines.input;
  return {
    // Tokens of a fallback may themselves have been written to a cache.
    uncachedInput: Math.max(0, uncached),
    cacheWriteInput: writes + Math.min(0, uncached),
    cachedInput: tokens.cachedInput - inLines.cachedInput,
    output: tokens.output - inLines.output,
  };
}

/** The names of the totals that include the tokens of a line. */
const totalNames = { input: 'input', cachedInput: 'cached_input', output: 'output' } as const;
const additionalKinds: ReadonlySet<string> = new Set(keysOf(additionalWork));

/** Returns the row of a line of the detail. A row of calls or units counts no tokens. */
function lineRow(line: ChargeLine): ReceiptRow {
  const { dimension, model, count, rate, of: total } = line;
  const modelField = model === null ? {} : { model };
  if (total !== null) {
    const kind = additionalKinds.has(dimension) ? `${dimension}_${totalNames[total]}` : dimension;
    return { ...tokenRow(kind, count, rate), ...modelField };
  }
  return {
    ...tokenRow(dimension, 0, 0),
    ...(meteredUnitOf(line)
      ? { count, usd_per_unit: usdOfUnitRate(rate) }
      : { calls: count, usd_per_1000_calls: priceOfRate(rate) / CALLS_PER_PRICE }),
    microcredits: (count * rate) / UNITS_PER_MICROCREDIT,
    ...modelField,
  };
}

/** Returns what the rates were multiplied by, and why. Returns undefined if they are the model's own. */
export const factorRows = ({ detail }: Receipt) =>
  detail && detail.factors.length > 0
    ? detail.factors.map(([dimension, factor]) => ({ dimension, factor }))
    : undefined;
