import { expect, test } from 'bun:test';
import { secretEndsAt } from './secret-ends-at.ts';

test('a replaced secret ends with its overlap, its key or the next secret', () => {
  const key = { hash: 'new', previous: { hash: 'old', endsAt: 100 }, expiresAt: null };
  expect(secretEndsAt(key, 'new')).toBe(Number.POSITIVE_INFINITY);
  expect(secretEndsAt(key, 'old')).toBe(100);
  expect(secretEndsAt(key, 'oldest')).toBe(Number.NEGATIVE_INFINITY);
  expect(secretEndsAt({ ...key, expiresAt: 50 }, 'new')).toBe(50);
  expect(secretEndsAt({ ...key, expiresAt: 50 }, 'old')).toBe(50);
  expect(secretEndsAt({ ...key, expiresAt: 200 }, 'old')).toBe(100);
});
