import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { tablesIn, timesIn } from '../../../test/support/prices/price-cases.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import { conditionOf, holdsAt } from '../../settings/catalog/price-condition.ts';
import type { PriceConditionRow } from '../../settings/config/price-schema.ts';
import { pricesView } from './price-view.ts';

const START = Date.parse('2026-11-01T00:00:00Z');
const SPAN = { start: START, days: 9 };
const PRICES = { input: 1, output: 2, cachedInput: null };

const pricing = (rows: readonly PriceConditionRow[]) => ({
  ...PRICES,
  conditions: rows.map((row) => conditionOf(row, PRICES)),
});

test('the next change of a price is the first minute with another row [CRD-54]', () => {
  fc.assert(
    fc.property(tablesIn(SPAN), timesIn(SPAN), ({ conditions }, at) => {
      const prices = pricing(conditions);
      const { now, next } = pricesView(prices, at);
      const small = prices.conditions.filter(
        ({ aboveInput, tier, region }) =>
          (aboveInput ?? 0) < 1 && (tier ?? 'default') === 'default' && region === null,
      );
      const rowAt = (time: number) => small.find((one) => holdsAt(one, time))?.name ?? 'base';
      expect(now.row).toBe(rowAt(at));
      const first = (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
      const minutes = Array.from({ length: 17 * 1_440 }, (_, index) => first + index * MINUTE_MS);
      const changed = minutes.find((time) => rowAt(time) !== now.row);
      expect(next && [Date.parse(next.at), next.row]).toEqual(changed ? [changed, rowAt(changed)] : null);
    }),
    { numRuns: 30 },
  );
});

test('a change behind many hidden windows is found', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const from = `${String(hour).padStart(2, '0')}:00`;
    return {
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
      from,
      to: from.replace(':00', ':30'),
    };
  });
  const rows = [
    { name: 'until-then', until: '2027-06-01', factor: 2 },
    { name: 'hourly', hours, factor: 3 },
  ] as PriceConditionRow[];
  expect(pricesView(pricing(rows), START).next).toMatchObject({
    at: '2027-06-01T00:00:00.000Z',
    row: 'hourly',
  });
});
