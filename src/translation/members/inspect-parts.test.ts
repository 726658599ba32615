import { expect, test } from 'bun:test';
import { createInspection } from './inspect-body.ts';

const inspect = createInspection({ properties: { messages: {} } }, ['messages']);
const foundIn = (part: object) => inspect({ messages: [{ role: 'user', content: [part] }] }).findings;

test('a text needs no inspection, but its other members do, in any case', () => {
  expect(foundIn({ type: 'text', text: 'a', cache_control: null })).toEqual([]);
  expect(foundIn({ type: 'output_text', text: 'a', annotations: [], logprobs: [] })).toEqual([]);
  for (const name of ['cache_control', 'Cache_Control'])
    expect(foundIn({ type: 'text', text: 'a', [name]: { type: 'ephemeral', ttl: '1h' } })).toMatchObject([
      { extra: 'cache_control.ttl', path: ['messages', 0, 'content', 0, name, 'ttl'] },
    ]);
  expect(foundIn({ type: 'text', text: 'a', image_url: 'file:///etc/passwd' })).toMatchObject([
    { kind: 'address' },
  ]);
});

test('a field of the account is found once', () => {
  const content = Array.from({ length: 1_000 }, () => ({ type: 'image', file_id: 'a' }));
  expect(inspect({ messages: [{ role: 'user', content }] }).findings).toHaveLength(1);
});
