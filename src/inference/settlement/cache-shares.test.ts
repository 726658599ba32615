import { expect, test } from 'bun:test';
import { CacheShares } from './cache-shares.ts';

const usage = (uncached: number, cacheRead?: number) => ({
  input: { uncached, cacheRead },
  output: { visible: 1 },
});
const scope = { conversation: 'one', keyId: 'key', model: 'model' };
const another = { ...scope, conversation: 'two' };

test("estimates a conversation's cached share from its last request", () => {
  const shares = new CacheShares();
  expect(shares.likely(scope, 1_000)).toBe(0);
  shares.note(scope, usage(100, 900));
  expect(shares.likely(scope, 1_000)).toBe(900);
  shares.note(scope, usage(500, 500));
  expect(shares.likely(scope, 1_000)).toBe(500);
  shares.note(scope, usage(1_000));
  expect(shares.likely(scope, 1_000)).toBe(0);
});

test('uses the share of the key and model for an unknown conversation', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(100, 900));
  expect(shares.likely(another, 500)).toBe(450);
  expect(shares.likely({ ...another, keyId: 'other' }, 500)).toBe(0);
  expect(shares.likely({ ...another, model: 'other' }, 500)).toBe(0);
});

test('estimates at most the length of the last prompt as cached', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(0, 1_000));
  expect(shares.likely(scope, 100_000)).toBe(1_000);
});

test('remembers nothing if nothing was ever cached', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(1_000));
  expect(shares.isEmpty).toBeTrue();
});
