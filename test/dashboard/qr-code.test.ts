import { expect, test } from 'bun:test';
import { correctionBytes } from '../../dashboard/features/account/correction-bytes.ts';
import { qrCode } from '../../dashboard/features/account/qr-code.ts';

/** The example of ISO/IEC 18004, annex I: 1-M with the digits 01234567. */
test('correction bytes are those of the standard', () => {
  const data = [
    0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
  ];
  expect(correctionBytes(data, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
});

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The fixed format words of the lowest level of correction, from the standard's table. */
const formats = [0x77c4, 0x72f3, 0x7daa, 0x789d, 0x662f, 0x6318, 0x6c41, 0x6976];

/** Reads a code of version 1 to 5, which has one block, as a scanner does. */
function readCode(rows: boolean[][]): string {
  const size = rows.length;
  const at = (x: number, y: number) => Number(rows[y]![x]);
  const bits = [0, 1, 2, 3, 4, 5, 7, 8]
    .map((y) => at(8, y))
    .concat([7, 5, 4, 3, 2, 1, 0].map((x) => at(x, 8)));
  const format = bits.reduce((sum, bit, index) => sum | (bit << index), 0);
  const mask = masks[formats.indexOf(format)]!;
  const small = size - 7;
  const isFixed = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x >= size - 8 && y < 9) ||
    (x < 9 && y >= size - 8) ||
    x === 6 ||
    y === 6 ||
    (size > 21 && Math.abs(x - small) <= 2 && Math.abs(y - small) <= 2);
  let data = '';
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isFixed(x, y)) data += at(x, y) ^ Number(mask(x, y));
    }
  }
  expect(data.slice(0, 4)).toBe('0100');
  const length = Number.parseInt(data.slice(4, 12), 2);
  const bytes = data.slice(12, 12 + 8 * length).match(/.{8}/g) ?? [];
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2)));
}

test('a code has the text, in the places of the standard', () => {
  for (const text of ['A', 'https://example.com/', 'Zoë '.repeat(12), 'x'.repeat(106)]) {
    const rows = qrCode(text);
    expect(rows[rows.length - 8]![8]).toBe(true);
    expect(readCode(rows)).toBe(text);
  }
});

test('the size of a code follows the length of its text', () => {
  const sizes = [17, 18, 230, 231, 271, 272, 520].map((length) => qrCode('x'.repeat(length)).length);
  expect(sizes).toEqual([21, 25, 53, 57, 57, 61, 77]);
  expect(() => qrCode('x'.repeat(521))).toThrow('too long');
});
