import { expect, test } from 'bun:test';
import { valueAt } from './value-at.ts';

test('finds only own members and elements', () => {
  const body = { tools: [{ name: 'get_time' }], system: null };
  expect(valueAt(body, [])).toBe(body);
  expect(valueAt(body, ['tools', 0, 'name'])).toBe('get_time');
  expect(valueAt(body, ['tools', '0', 'name'])).toBe('get_time');
  expect(valueAt(body, ['system', 'text'])).toBeUndefined();
  expect(valueAt(body, ['tools', 1])).toBeUndefined();
  expect(valueAt(body, ['constructor'])).toBeUndefined();
  expect(valueAt(body, ['tools', 'map'])).toBeUndefined();
});
