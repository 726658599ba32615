import { expect, test } from 'bun:test';
import { definedOf, entriesOf, keysOf, lookUp, mapValues, pick, recordBy, recordOf } from './records.ts';

const sizes: { small: number; large?: number } = { small: 1, large: 3 };

test('names and members have the types of the record', () => {
  const names: ('small' | 'large')[] = keysOf(sizes);
  expect(names).toEqual(['small', 'large']);
  expect(entriesOf(sizes).map(([name, size]) => `${name} ${size + 1}`)).toEqual(['small 2', 'large 4']);
});

test('a record is made of names or of another record', () => {
  expect(recordOf(['a', 'bc'], (name) => name.length)).toEqual({ a: 1, bc: 2 });
  expect(mapValues({ a: 1, b: 2 }, (value, name) => `${name}${value}`)).toEqual({ a: 'a1', b: 'b2' });
});

test('a record is made of items or of some members of another record', () => {
  expect(recordBy([{ id: 'a' }], ({ id }) => id)).toEqual({ a: { id: 'a' } });
  expect(pick({ a: 1, b: 2, c: 3 }, ['a', 'c'])).toEqual({ a: 1, c: 3 });
});

test('members that are undefined are left out, unlike null', () => {
  expect(definedOf({ a: undefined, b: null, c: 0 })).toEqual({ b: null, c: 0 });
});

test('a word names a member only, never a property of the prototype', () => {
  expect(lookUp(sizes, 'small')).toBe(1);
  for (const word of [
    'constructor',
    'toString',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'medium',
    undefined,
  ])
    expect({ word, found: lookUp(sizes, word) }).toEqual({ word, found: undefined });
});
