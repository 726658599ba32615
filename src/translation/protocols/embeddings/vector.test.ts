import { expect, test } from 'bun:test';
import { formatVector, readVector, shortenVector, widthOf } from './vector.ts';

const vector = [0.25, -1.5, 3e-8, 1 / 3, 0];

test('encodes vectors as little-endian 32-bit floats in base64 and reads them back', () => {
  expect(formatVector([1], 'base64')).toBe('AACAPw==');
  expect(readVector(formatVector(vector, 'base64'))).toEqual(vector.map(Math.fround));
});

test('returns the width of either form without decoding it', () => {
  for (let width = 1; width <= 9; width++) {
    const some = Array.from({ length: width }, () => 0.5);
    expect(widthOf(some)).toEqual(width);
    expect(widthOf(formatVector(some, 'base64'))).toEqual(width);
  }
});

test('returns undefined for a value that is not a vector', () => {
  for (const value of ['', 'AAA=', null, 7, {}, ['a'], [null], [Number.NaN]])
    expect(readVector(value)).toBeUndefined();
});

test('shortens a vector to its first dimensions and length 1', () => {
  const short = shortenVector([3, 4, 12], 2);
  expect(short).toEqual([0.6, 0.8]);
  expect(shortenVector([0, 0, 1], 2)).toEqual([0, 0]);
});
