import { expect, test } from 'bun:test';
import { formatVector, readVector, shortenVector, widthOf } from './vector.ts';

const vector = [0.25, -1.5, 3e-8, 1 / 3, 0];

test('base64 is the 32-bit form, lowest byte first, and reads back', () => {
  expect(formatVector([1], 'base64')).toBe('AACAPw==');
  expect(readVector(formatVector(vector, 'base64'))).toEqual(vector.map(Math.fround));
});

test('the width is known in either form without reading it', () => {
  for (let width = 1; width <= 9; width++) {
    const some = Array.from({ length: width }, () => 0.5);
    expect([widthOf(some), widthOf(formatVector(some, 'base64'))]).toEqual([width, width]);
  }
});

test('what is no vector is none', () => {
  for (const value of ['', 'AAA=', null, 7, {}, ['a'], [null], [Number.NaN]])
    expect(readVector(value)).toBeUndefined();
});

test('a shortened one has its first directions and length 1', () => {
  const short = shortenVector([3, 4, 12], 2);
  expect(short).toEqual([0.6, 0.8]);
  expect(shortenVector([0, 0, 1], 2)).toEqual([0, 0]);
});
