import { expect, test } from 'bun:test';
import { nextChange } from '../../settings/catalog/price-changes.ts';
import { conditionOf, holdsAt } from '../../settings/catalog/price-condition.ts';
import type { PriceConditionRow } from '../../settings/config/price-schema.ts';
import { possibleRows, rateRowsOf, rowFor } from './rate-row.ts';

const base = { input: 5, output: 30, cachedInput: 0.5 };
const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const row = (fields: Partial<PriceConditionRow>): PriceConditionRow => ({
  name: 'row',
  factor: 1,
  ...fields,
});
const at = (text: string): number => Date.parse(text);

const peak = conditionOf(
  row({ name: 'peak', hours: [{ days: ['mon', 'fri'], from: '01:00', to: '04:00' }], factor: 2 }),
  base,
);
const night = conditionOf(row({ hours: [{ days: ['sun'], from: '22:00', to: '02:00' }] }), base);

test.each<[time: string, holds: boolean]>([
  ['2026-11-23T00:59:59.999Z', false],
  ['2026-11-23T01:00:00Z', true],
  ['2026-11-23T03:59:59.999Z', true],
  ['2026-11-23T04:00:00Z', false],
  ['2026-11-24T02:00:00Z', false],
  ['2026-11-27T02:00:00Z', true],
])('a window of Monday and Friday, 01:00 to 04:00, holds at %s: %p [CRD-54]', (time, holds) => {
  expect(holdsAt(peak, at(time))).toBe(holds);
});

test('a window that ends on the next day belongs to the day on which it begins [CRD-54]', () => {
  expect(holdsAt(night, at('2026-11-22T22:00:00Z'))).toBe(true);
  expect(holdsAt(night, at('2026-11-23T01:59:59Z'))).toBe(true); // a Monday
  expect(holdsAt(night, at('2026-11-23T02:00:00Z'))).toBe(false);
  expect(holdsAt(night, at('2026-11-22T01:00:00Z'))).toBe(false); // the night of Saturday
});

test('a window from a time to the same time lasts a day, but one to 24:00 ends at midnight [CRD-54]', () => {
  const day = conditionOf(row({ hours: [{ days: ['tue'], from: '08:00', to: '08:00' }] }), base);
  expect(holdsAt(day, at('2026-11-25T07:59:00Z'))).toBe(true);
  expect(holdsAt(day, at('2026-11-25T08:00:00Z'))).toBe(false);
  const late = conditionOf(row({ hours: [{ days: [...week], from: '23:00', to: '24:00' }] }), base);
  expect(holdsAt(late, at('2026-11-25T23:59:59Z'))).toBe(true);
  expect(holdsAt(late, at('2026-11-26T00:00:00Z'))).toBe(false);
});

test('a row of dates begins at midnight UTC of the first and ends before `until` [CRD-54]', () => {
  const dated = conditionOf(row({ from: '2026-12-01', until: '2027-03-01T06:00:00Z' }), base);
  expect(holdsAt(dated, at('2026-11-30T23:59:59.999Z'))).toBe(false);
  expect(holdsAt(dated, at('2026-12-01T00:00:00Z'))).toBe(true);
  expect(holdsAt(dated, at('2027-03-01T06:00:00Z'))).toBe(false);
});

test('a factor multiplies the prices that a row leaves out, to nine decimals [CRD-54]', () => {
  expect(conditionOf(row({ factor: 2, output: 45 }), base)).toMatchObject({
    input: 10,
    output: 45,
    cachedInput: 1,
  });
  expect(conditionOf(row({ cached_input: null }), base).cachedInput).toBeNull();
  expect(conditionOf(row({ factor: 1 / 3 }), base).input).toBe(1.666666667);
});

test('the next change is the nearest edge of a window or a date [CRD-54]', () => {
  const dated = conditionOf(row({ from: '2026-12-01' }), base);
  expect(nextChange([peak, dated], at('2026-11-23T02:00:00Z'))).toBe(at('2026-11-23T04:00:00Z'));
  expect(nextChange([peak, dated], at('2026-11-27T05:00:00Z'))).toBe(at('2026-11-30T01:00:00Z'));
  expect(nextChange([dated], at('2026-12-01T00:00:00Z'))).toBeUndefined();
});

const rowed = rateRowsOf(
  {
    ...base,
    conditions: [
      conditionOf(row({ name: 'eu', region: 'eu', factor: 1.1 }), base),
      conditionOf(
        row({ name: 'peak-long', above_input_tokens: 100, factor: 4, hours: peak.row.hours! }),
        base,
      ),
      conditionOf(row({ name: 'long', above_input_tokens: 100, factor: 2 }), base),
      conditionOf(row({ name: 'quick', tier: 'priority', factor: 3 }), base),
    ],
  },
  { at: at('2026-11-23T00:00:00Z'), region: undefined },
);

test('time and region choose rows at admission, size and tier by the answer; the first that holds decides [CRD-54]', () => {
  const rows = rowed.rows!;
  expect(rows.map(({ name }) => name)).toEqual(['long', 'quick']);
  expect(rowFor(rows, { input: 100, tiers: [] })).toBeUndefined();
  expect(rowFor(rows, { input: 101, tiers: [] })?.name).toBe('long');
  expect(rowFor(rows, { input: 101, tiers: ['priority'] })?.name).toBe('long');
  expect(rowFor(rows, { input: 100, tiers: ['priority'] })?.name).toBe('quick');
});

test('a row without a size ends the rows that an answer can have [CRD-54]', () => {
  const namesOf = (input: number, tiers: 'priority'[]) =>
    possibleRows(rowed.rows!, { input, tiers }).map((one) => one?.name);
  expect(namesOf(1_000, [])).toEqual(['long', undefined]);
  expect(namesOf(100, [])).toEqual([undefined]);
  expect(namesOf(1_000, ['priority'])).toEqual(['long', 'quick']);
});
