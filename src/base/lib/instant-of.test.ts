import { expect, test } from 'bun:test';
import { instantOf } from './instant-of.ts';

test.each([
  ['2026-02-28', Date.UTC(2026, 1, 28)],
  ['2026-02-28T23:30:00Z', Date.UTC(2026, 1, 28, 23, 30)],
  ['2026-02-28T23:30:00-02:00', Date.UTC(2026, 2, 1, 1, 30)],
  ['2026-03-01T00:30:00+01:00', Date.UTC(2026, 1, 28, 23, 30)],
  ['2026-02-30', Number.NaN],
  ['2026-02-30T00:00:00Z', Number.NaN],
  ['soon', Number.NaN],
])('the instant of %s', (text, expected) => {
  expect(instantOf(text)).toBe(expected);
});
