import { expect, test } from 'bun:test';
import { countInput, countOutput, splitList } from './split-list.ts';

const message = (text: string) => JSON.stringify({ type: 'message', content: text });
const reasoning = JSON.stringify({ type: 'reasoning', summary: [] });
const listOf = (...items: string[]) => `[${items.join(',')}]`;

test('reasoning is listed in an input only', () => {
  const list = listOf(message('a'), reasoning, message('says "reasoning"'));
  expect(countOutput(list)).toBe(2);
  expect(countInput(list)).toBe(3);
});

test('a short list stays in one part', () => {
  const list = listOf(message('a'), message('b'));
  expect(splitList(list, { items: 2, isOutput: false })).toEqual([{ text: list, items: 2 }]);
});

test('a long list is cut between items into parts that join to the list', () => {
  const items = Array.from({ length: 9 }, (_, index) => message(`${index}`.repeat(20_000)));
  const parts = splitList(listOf(...items), { items: 9, isOutput: false });
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.reduce((sum, part) => sum + part.items, 0)).toBe(9);
  const joined = parts.flatMap(({ text }) => JSON.parse(text) as unknown[]);
  expect(joined).toEqual(items.map((item) => JSON.parse(item) as unknown));
});

test('an item longer than a part is a part by itself', () => {
  const long = message('x'.repeat(100_000));
  const parts = splitList(listOf(message('a'), long, message('b')), { items: 3, isOutput: false });
  expect(parts.map(({ items }) => items)).toEqual([1, 1, 1]);
});
