import { describe, expect, test } from 'bun:test';
import { double, fixed64, hexBytes, nanoseconds, toBytes, utf8, varint, varintField } from './protobuf.ts';

const hex = (message: string) => toBytes(message).toString('hex');

test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [300, 'ac02'],
  [16_383, 'ff7f'],
  [16_384, '808001'],
  [2 ** 32, '8080808010'],
  [2 ** 53 - 1, 'ffffffffffffff0f'],
])('the varint of %d', (value, expected) => {
  expect(hex(varint(value))).toBe(expected);
});

test('a field begins with its number and its type', () => {
  expect(hex(varintField(6, 2))).toBe('3002');
});

describe('numbers of eight bytes', () => {
  test.each([0, 1, 255, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('%d', (value) => {
    expect(toBytes(fixed64(value)).readBigUInt64LE()).toBe(BigInt(value));
  });

  test.each([
    0, 1.5, 0.001, 1_790_000_000_000, 1_790_000_000_123.456, 4_102_444_799_999.999,
  ])('nanoseconds of %d ms', (value) => {
    const expected = BigInt(Math.round(value * 1_000)) * 1_000n;
    expect(toBytes(nanoseconds(value)).readBigUInt64LE()).toBe(expected);
  });

  test.each([0, -1.5, 1e-9, Number.MAX_VALUE])('the double %d', (value) => {
    expect(toBytes(double(value)).readDoubleLE()).toBe(value);
  });
});

test.each(['', 'plain', 'grüße', '日本語 😀', 'nul \0'])('text in UTF-8: %j', (text) => {
  expect(toBytes(utf8(text)).toString('utf8')).toBe(text);
});

test('an unpaired surrogate becomes the replacement character', () => {
  expect(toBytes(utf8('a\ud800b')).toString('utf8')).toBe('a\ufffdb');
});

test('hexadecimal digits become bytes', () => {
  expect(hex(hexBytes('00ff80'))).toBe('00ff80');
});
