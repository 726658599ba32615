import { expect, test } from 'bun:test';
import { type JsonBody, parseJsonObject } from '../../base/json/json-body.ts';
import { affinityKey } from './affinity-key.ts';

const keyOf = (value: object) => affinityKey(parseJsonObject(JSON.stringify(value)) as JsonBody);
const turn = (content: string) => ({ role: 'user', content });
const long = 'all work and no play '.repeat(300);

test('a long prompt has the same key on every turn of its conversation', () => {
  const first = keyOf({ model: 'm', messages: [turn(long)] });
  const later = keyOf({ model: 'm', messages: [turn(long), turn('and then?'), turn(long)] });
  expect(first).toBeGreaterThan(0);
  expect(later).toBe(first);
  expect(keyOf({ model: 'other', temperature: 1, messages: [turn(long)] })).toBe(first);
  expect(keyOf({ model: 'm', messages: [turn(`other ${long}`)] })).not.toBe(first);
});

test('tools and the system prompt come first in the prompt, wherever they stand in the body', () => {
  const system = keyOf({ messages: [turn('hello')], system: long });
  expect(system).toBeGreaterThan(0);
  expect(keyOf({ system: long, messages: [turn('good day')] })).toBe(system);
});

test('a short prompt has none: no vendor would cache it', () => {
  expect(keyOf({ messages: [turn('hello')], system: 'be kind' })).toBe(0);
  expect(keyOf({})).toBe(0);
});

test("a hint of the client's goes before the prompt", () => {
  const hinted = keyOf({ prompt_cache_key: 'conversation-1', messages: [turn('hello')] });
  expect(hinted).toBeGreaterThan(0);
  expect(keyOf({ prompt_cache_key: 'conversation-1', messages: [turn(long)] })).toBe(hinted);
  expect(keyOf({ prompt_cache_key: 'conversation-2', messages: [turn(long)] })).not.toBe(hinted);
  expect(keyOf({ metadata: { user_id: 'someone' }, messages: [turn('hello')] })).toBeGreaterThan(0);
});

test('hints of the wrong type are none', () => {
  for (const metadata of [null, 'text', 7, [], { user_id: null }, { user_id: '' }])
    expect(keyOf({ metadata, prompt_cache_key: 5 })).toBe(0);
});
