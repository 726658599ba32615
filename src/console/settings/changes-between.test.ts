import { expect, test } from 'bun:test';
import { changesBetween } from './changes-between.ts';

test('compares rows field by field', () => {
  const before = { id: 'a', price: { input: 1 }, plan: 'free' };
  expect(changesBetween(before, { ...before, price: { input: 2 } }, [])).toEqual([
    { field: 'price', before: { input: 1 }, after: { input: 2 } },
  ]);
});

test('a new row shows the fields that were named', () => {
  expect(changesBetween(undefined, { id: 'a', plan: 'free' }, ['id'])).toEqual([
    { field: 'id', before: null, after: 'a' },
  ]);
});
