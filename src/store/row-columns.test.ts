import { expect, test } from 'bun:test';
import {
  bytes,
  flag,
  json,
  nullableJson,
  nullableNumber,
  nullableText,
  number,
  oneOf,
  text,
} from './row-columns.ts';

const row = {
  id: 'req_1',
  sum: '12',
  count: 3,
  isOpen: 1,
  isLast: false,
  none: null,
  tags: '{"a":1}',
  mode: 'flex',
  content: new Uint8Array([1]),
};

test('columns of both databases are read with their types', () => {
  expect(text(row, 'id')).toBe('req_1');
  expect(number(row, 'sum')).toBe(12);
  expect(number(row, 'count')).toBe(3);
  expect(flag(row, 'isOpen')).toBe(true);
  expect(flag(row, 'isLast')).toBe(false);
  expect(nullableText(row, 'none')).toBeNull();
  expect(nullableNumber(row, 'none')).toBeNull();
  expect(nullableJson(row, 'none')).toBeNull();
  expect(json(row, 'tags')).toEqual({ a: 1 });
  expect(oneOf(row, 'mode', ['flex'])).toBe('flex');
  expect(bytes(row, 'content')).toEqual(row.content);
});

test('a column that cannot be read is named, without its value', () => {
  const message = 'The column id of a row cannot be read (string)';
  expect(() => number(row, 'id')).toThrow(message);
  expect(() => flag(row, 'id')).toThrow(message);
  expect(() => bytes(row, 'id')).toThrow(message);
  expect(() => oneOf(row, 'id', ['flex'])).toThrow(message);
  expect(() => text(row, 'none')).toThrow('The column none of a row cannot be read (null)');
  expect(() => nullableText(row, 'absent')).toThrow('The column absent of a row cannot be read (undefined)');
});
