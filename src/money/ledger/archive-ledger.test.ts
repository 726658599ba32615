import { expect, test } from 'bun:test';
import { closedBefore } from './closed-before.ts';

test('only months that are over can be archived', () => {
  const now = Date.UTC(2026, 10, 22);
  expect(closedBefore('2026-11', now)).toBe(Date.UTC(2026, 10, 1));
  expect(closedBefore('2025-01', now)).toBe(Date.UTC(2025, 0, 1));
  for (const text of ['2026-12', '2027-01', '2026-13', '2026-00', '2026-1', '2026-10-01', 'October', ''])
    expect({ text, result: closedBefore(text, now) }).toEqual({ text, result: undefined });
});
