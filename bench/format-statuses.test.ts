import { expect, test } from 'bun:test';
import { formatStatuses } from './format-statuses.ts';

test('counts answers by status, and requests without an answer', () => {
  expect(formatStatuses([200, 200, 503, 0])).toBe('2 × 200, 1 × 503, 1 × no answer');
});
