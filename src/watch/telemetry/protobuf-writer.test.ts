import { describe, expect, test } from 'bun:test';
import { ProtobufWriter } from './protobuf-writer.ts';

function written(write: (writer: ProtobufWriter) => void): Buffer {
  const writer = new ProtobufWriter();
  write(writer);
  return Buffer.from(writer.take());
}

test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [300, 'ac02'],
  [16_384, '808001'],
  [2 ** 32, '8080808010'],
  [2 ** 53 - 1, 'ffffffffffffff0f'],
])('the varint of %d', (value, expected) => {
  expect(written((writer) => writer.varint(value)).toString('hex')).toBe(expected);
});

describe('numbers of eight bytes', () => {
  test.each([0, 1, 255, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1])('%d', (value) => {
    expect(written((writer) => writer.fixed64(value)).readBigUInt64LE()).toBe(BigInt(value));
  });

  test.each([
    0, 1.5, 0.001, 1_790_000_000_000, 1_790_000_000_123.456, 4_102_444_799_999.999,
  ])('nanoseconds of %d ms', (value) => {
    const bytes = written((writer) => writer.timeField(7, value));
    expect(bytes[0]).toBe((7 << 3) | 1);
    expect(bytes.readBigUInt64LE(1)).toBe(BigInt(Math.round(value * 1_000)) * 1_000n);
  });

  test.each([0, -1.5, 1e-9, Number.MAX_VALUE])('the double %d', (value) => {
    expect(written((writer) => writer.double(value)).readDoubleLE()).toBe(value);
  });
});

test.each(['', 'plain', 'grüße', '日本語 😀', 'nul \0'])('text in UTF-8: %j', (text) => {
  const bytes = written((writer) => writer.stringField(1, text));
  expect(bytes[0]).toBe(0x0a);
  expect(bytes[1]).toEqual(Buffer.byteLength(text));
  expect(bytes.subarray(2).toString('utf8')).toBe(text);
});

test('an unpaired surrogate becomes the replacement character', () => {
  const bytes = written((writer) => writer.stringField(1, 'a\ud800b'));
  expect(bytes.subarray(2).toString('utf8')).toBe('a\ufffdb');
});

test('hexadecimal digits become bytes', () => {
  expect(written((writer) => writer.hexField(1, '00ff80ab')).toString('hex')).toBe('0a0400ff80ab');
});

test.each([0, 1, 127, 128, 16_383, 16_384, 70_000, 2_100_000])('a nested message of %d bytes', (length) => {
  const content = new Uint8Array(length).fill(7);
  const bytes = written((writer) => {
    const outer = writer.open(2);
    const inner = writer.open(1);
    writer.raw(content);
    writer.close(inner);
    writer.close(outer);
    writer.varintField(3, 9);
  });
  const nested = written((writer) => writer.bytesField(1, content));
  const expected = Buffer.concat([
    written((writer) => writer.bytesField(2, nested)),
    written((writer) => writer.varintField(3, 9)),
  ]);
  expect(bytes.equals(expected)).toBe(true);
});

test('a writer is used again', () => {
  const writer = new ProtobufWriter();
  writer.varintField(1, 1);
  expect(writer.take()).toHaveLength(2);
  expect(writer.take()).toHaveLength(0);
});
