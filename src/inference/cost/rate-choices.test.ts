import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { reports, requestsIn, tablesIn } from '../../../test/support/prices/price-cases.ts';
import {
  bill,
  hasPrice,
  type PriceTable,
  type Report,
  type Request,
} from '../../../test/support/prices/price-rules.ts';
import { sizeOfRun } from '../../../test/support/size-of-run.ts';
import { extraRatesOf } from '../../money/ledger/extra-rates.ts';
import { priceUsage } from '../../money/ledger/price-usage.ts';
import { rateRowsOf } from '../../money/ledger/rate-row.ts';
import { conditionOf } from '../../settings/catalog/price-condition.ts';
import type { PriceConditionRow } from '../../settings/config/price-schema.ts';
import type { PriceName } from '../../translation/canonical/price-name.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import { highestCost, rateChoices, rowsByCost } from './rate-choices.ts';

const START = Date.parse('2026-11-01T00:00:00Z');
const SPAN = { start: START, days: 60 };

type Case = { table: PriceTable; request: Request; report: Report };

/** Returns the prices that the request names, of those that the model has. */
function askedOf({ table: { extras, conditions }, request: { asked, region } }: Case): PriceName[] {
  const hasRegion =
    region !== undefined &&
    (extras.inference_geo !== undefined || conditions.some((row) => row.region === region));
  return [
    ...(asked ? [asked] : []),
    ...(hasRegion ? (['inference_geo'] as const) : []),
    ...(extras.cache_write_1h === undefined ? [] : (['cache_write_1h'] as const)),
  ];
}

/** A tier without a price at that time is not asked for. */
const screened = (table: PriceTable, request: Request): Request => ({
  ...request,
  asked: request.asked && hasPrice(table, request, request.asked) ? request.asked : undefined,
});

function usageOf({
  input,
  cached,
  output,
  written = {},
  reported = [],
  isUnreported = false,
}: Report): Usage {
  const read = Math.min(cached, input);
  const all = Object.values(written).reduce((sum, count) => sum + count, 0);
  const cacheWrite = Math.min(all, input - read);
  return {
    input: { uncached: input - read - cacheWrite, cacheRead: read, cacheWrite },
    output: { visible: output },
    ...(isUnreported && { isEstimated: true }),
    detail: { counts: written, ...(!isUnreported && { factors: reported }) },
  };
}

function priced(one: Case) {
  const { table, request, report } = one;
  const { base } = table;
  const prices = { input: base.input, output: base.output, cachedInput: base.cached_input };
  const conditions = table.conditions.map((row) => conditionOf(row, prices));
  const rates = rateRowsOf({ ...prices, conditions }, { at: request.at, region: request.region });
  const extras = extraRatesOf(table.extras);
  const asked = askedOf(one);
  const charge = priceUsage(usageOf(report), {
    rates,
    extras,
    asked,
    certain: {},
    otherModel: () => undefined,
  });
  const choices = rateChoices({ rates, extras, asked: { priced: asked, certain: {} }, body: { value: {} } });
  return { charge, choices };
}

test('the hold covers the bill that the rules give [CRD-54]', () => {
  const cases = fc.record({ table: tablesIn(SPAN), request: requestsIn(SPAN), report: reports });
  fc.assert(
    fc.property(cases, fc.nat({ max: 100 }), (drawn, more) => {
      const one = { ...drawn, request: screened(drawn.table, drawn.request) };
      const { charge, choices } = priced(one);
      const row = charge.priceRow ?? 'base';
      expect({ microcredits: charge.costMicrocredits, row }).toEqual(
        bill(one.table, one.request, one.report),
      );
      const { input, output } = one.report;
      expect(highestCost({ input: input + more, output: output + more }, choices)).toBeGreaterThanOrEqual(
        charge.costMicrocredits,
      );
      expect(rowsByCost({ input: input + more, output }, choices)).toContain(row);
    }),
    { numRuns: sizeOfRun({ long: 100_000, full: 10_000, ordinary: 3_000 }) },
  );
});

test('a hold covers no row that the time, the tier or the size excludes [CRD-54]', () => {
  const prices = { input: 1, output: 2, cachedInput: null };
  const rows: PriceConditionRow[] = [
    { name: 'gone', until: '2020-01-01', factor: 100 },
    { name: 'elsewhere', region: 'eu', factor: 100 },
    { name: 'unasked', tier: 'ultrafast', factor: 100 },
    { name: 'long', above_input_tokens: 1_000, factor: 10 },
    { name: 'always', factor: 3 },
  ];
  const conditions = rows.map((row) => conditionOf(row, prices));
  const rates = rateRowsOf({ ...prices, conditions }, { at: START, region: undefined });
  const choices = rateChoices({ rates, extras: extraRatesOf({}), asked: undefined, body: { value: {} } });
  expect(rowsByCost({ input: 1_000, output: 1 }, choices)).toEqual(['always']);
  expect(highestCost({ input: 1_000, output: 0 }, choices)).toBe(1_000 * 3 * 500);
  expect(rowsByCost({ input: 1_001, output: 1 }, choices)).toEqual(['always', 'long']);
});
