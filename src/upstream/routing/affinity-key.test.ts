import { expect, test } from 'bun:test';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { affinityKey } from './affinity-key.ts';

const keyOf = (value: object) => affinityKey(parseBodyAtOnce(JSON.stringify(value)) as JsonBody);
const turn = (content: string) => ({ role: 'user', content });
const long = 'all work and no play '.repeat(300);

test('returns the same key on every turn of a conversation with a long prompt', () => {
  const first = keyOf({ model: 'm', messages: [turn(long)] });
  const later = keyOf({ model: 'm', messages: [turn(long), turn('and then?'), turn(long)] });
  expect(first).toBeGreaterThan(0);
  expect(later).toBe(first);
  expect(keyOf({ model: 'other', temperature: 1, messages: [turn(long)] })).toBe(first);
  expect(keyOf({ model: 'm', messages: [turn(`other ${long}`)] })).not.toBe(first);
});

test('hashes tools and the system prompt first, wherever they are in the body', () => {
  const system = keyOf({ messages: [turn('hello')], system: long });
  expect(system).toBeGreaterThan(0);
  expect(keyOf({ system: long, messages: [turn('good day')] })).toBe(system);
});

test('returns no key for a short prompt, which no vendor caches', () => {
  expect(keyOf({ messages: [turn('hello')], system: 'be kind' })).toBe(0);
  expect(keyOf({})).toBe(0);
});

test('prefers a hint of the client to the prompt', () => {
  const hinted = keyOf({ prompt_cache_key: 'conversation-1', messages: [turn('hello')] });
  expect(hinted).toBeGreaterThan(0);
  expect(keyOf({ prompt_cache_key: 'conversation-1', messages: [turn(long)] })).toBe(hinted);
  expect(keyOf({ prompt_cache_key: 'conversation-2', messages: [turn(long)] })).not.toBe(hinted);
  expect(keyOf({ metadata: { user_id: 'someone' }, messages: [turn('hello')] })).toBeGreaterThan(0);
});

test('ignores hints of the wrong type', () => {
  for (const metadata of [null, 'text', 7, [], { user_id: null }, { user_id: '' }])
    expect(keyOf({ metadata, prompt_cache_key: 5 })).toBe(0);
});
