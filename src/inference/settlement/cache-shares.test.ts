import { expect, test } from 'bun:test';
import { CacheShares } from './cache-shares.ts';

const usage = (uncached: number, cacheRead?: number) => ({
  input: { uncached, cacheRead },
  output: { visible: 1 },
});
const scope = { conversation: 'one', keyId: 'key', model: 'model' };
const another = { ...scope, conversation: 'two' };

test('the cached share of a conversation is what its last request read from a cache', () => {
  const shares = new CacheShares();
  expect(shares.likely(scope, 1_000)).toBe(0);
  shares.note(scope, usage(100, 900));
  expect(shares.likely(scope, 1_000)).toBe(900);
  shares.note(scope, usage(500, 500));
  expect(shares.likely(scope, 1_000)).toBe(500);
  shares.note(scope, usage(1_000));
  expect(shares.likely(scope, 1_000)).toBe(0);
});

test('a conversation that is not known yet takes the share of its key and model', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(100, 900));
  expect(shares.likely(another, 500)).toBe(450);
  expect(shares.likely({ ...another, keyId: 'other' }, 500)).toBe(0);
  expect(shares.likely({ ...another, model: 'other' }, 500)).toBe(0);
});

test('no more is taken for cached than the last prompt was long', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(0, 1_000));
  expect(shares.likely(scope, 100_000)).toBe(1_000);
});

test('nothing is remembered where nothing was ever cached', () => {
  const shares = new CacheShares();
  shares.note(scope, usage(1_000));
  expect(shares.isEmpty).toBeTrue();
});
