import { expect, test } from 'bun:test';
import { type CacheScope, CacheShares } from './cache-shares.ts';

const usage = (uncached: number, cacheRead?: number) => ({
  input: { uncached, cacheRead },
  output: { visible: 1 },
});
const says = (...texts: string[]) => ({
  messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
});
const long = (word: string): string => `${word} `.repeat(3_000);
const scope: CacheScope = { conversation: undefined, keyId: 'key', model: 'model', body: says(long('one')) };
const shares = () => new CacheShares(7);

test("estimates a prompt's cached share from its last request", () => {
  const known = shares();
  expect(known.estimateCachedTokens(scope, 1_000)).toBe(0);
  known.record(scope, usage(100, 900));
  expect(known.estimateCachedTokens(scope, 1_000)).toBe(900);
  known.record(scope, usage(500, 500));
  expect(known.estimateCachedTokens(scope, 1_000)).toBe(500);
  known.record(scope, usage(1_000));
  expect(known.estimateCachedTokens(scope, 1_000)).toBe(0);
  expect(known.isEmpty).toBeTrue();
});

test('estimates the next turn of a conversation with the share of its last prompt', () => {
  const known = shares();
  known.record(scope, usage(50, 950));
  const next = { ...scope, body: { ...says(long('one'), 'yes', 'and now?'), stream: true } };
  expect(known.estimateCachedTokens(next, 1_010)).toBeWithin(945, 960);
});

test('ignores where a client marks its prompt for the cache', () => {
  const known = shares();
  const part = (text: string, mark?: object) => ({
    role: 'user',
    content: [{ type: 'text', text, ...mark }],
  });
  const mark = { cache_control: { type: 'ephemeral' } };
  known.record({ ...scope, body: { messages: [part(long('one'), mark)] } }, usage(50, 950));
  const next = { ...scope, body: { messages: [part(long('one')), part('more', mark)] } };
  expect(known.estimateCachedTokens(next, 1_000)).toBeWithin(940, 951);
});

for (const [what, other] of [
  ['prompt', { body: says(long('two')) }],
  ['beginning of the same prompt', { body: { tools: [{ name: 'other' }], ...says(long('one')) } }],
  ['key', { keyId: 'other' }],
  ['model', { model: 'other' }],
  ['conversation', { conversation: 'other' }],
] as const)
  test(`has no share for another ${what} [CRD-51]`, () => {
    const known = shares();
    known.record(scope, usage(50, 950));
    expect(known.estimateCachedTokens({ ...scope, ...other }, 1_000)).toBe(0);
  });

test('estimates only the common beginning of two prompts as cached [CRD-51]', () => {
  const known = shares();
  const named = { ...scope, conversation: 'named' };
  known.record({ ...named, body: says('a', long('one'), long('one')) }, usage(0, 1_000));
  const fresh = { ...named, body: says('a', long('one'), long('new'), long('new'), long('new')) };
  expect(known.estimateCachedTokens(fresh, 2_000)).toBeWithin(450, 510);
  const changed = long('one').replace('one', 'One');
  expect(known.estimateCachedTokens({ ...named, body: says('a', changed, long('one')) }, 1_000)).toBeLessThan(
    10,
  );
});

test('estimates at most the length of the last prompt as cached', () => {
  const known = shares();
  known.record(scope, usage(0, 1_000));
  expect(known.estimateCachedTokens(scope, 100_000)).toBe(1_000);
});

test('compares prompts of any length at a bounded number of places', () => {
  const known = shares();
  const texts = Array.from({ length: 1_001 }, (_, index) => `turn ${index}`);
  known.record({ ...scope, body: says(...texts) }, usage(0, 10_000));
  expect(known.estimateCachedTokens({ ...scope, body: says(...texts, 'more') }, 10_000)).toBeWithin(
    9_980,
    10_001,
  );
});

test('remembers nothing if nothing was ever cached', () => {
  const known = shares();
  known.record(scope, usage(1_000));
  expect(known.isEmpty).toBeTrue();
});
