import type { Canvas, Color } from './canvas.ts';

/** The divisor of all coefficients. A block of one color has the coefficient 8 × its value. */
const DIVISOR = 8;
/** Category 0 has the code 0, and the categories 1 to 11 have five bits from 10000 on. */
const DC_CODES = { lengths: [1, 0, 0, 0, 11], symbols: Array.from({ length: 12 }, (_, at) => at) };
/** The only code is 0: the block has no further coefficient. */
const AC_CODES = { lengths: [1], symbols: [0] };
const BLOCK = 8;

/**
 * Writes a baseline JPEG (ITU-T T.81) of one color.
 * Each block is coded as its difference from the block before it, which is nothing from the second block on.
 */
export function jpegOf({ width, height, color }: Canvas, label: string): Buffer {
  const sizes = Buffer.alloc(4);
  sizes.writeUInt16BE(height, 0);
  sizes.writeUInt16BE(width, 2);
  const components = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xfe, [...Buffer.from(label)]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => DIVISOR)]),
    segment(0xc0, [8, ...sizes, 3, ...components]),
    segment(0xc4, codeTable(0x00, DC_CODES)),
    segment(0xc4, codeTable(0x10, AC_CODES)),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
    scan(Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK), color),
    Buffer.from([0xff, 0xd9]),
  ]);
}

function segment(marker: number, data: number[]): Buffer {
  const bytes = Buffer.alloc(4 + data.length);
  bytes.set([0xff, marker], 0);
  bytes.writeUInt16BE(2 + data.length, 2);
  bytes.set(data, 4);
  return bytes;
}

const codeTable = (place: number, { lengths, symbols }: { lengths: number[]; symbols: number[] }) => [
  place,
  ...Array.from({ length: 16 }, (_, at) => lengths[at] ?? 0),
  ...symbols,
];

/** A block without a difference is two bits of zero, for each of three components. */
function scan(blocks: number, color: Color): Buffer {
  const first = lumaAndChroma(color)
    .map((value) => `${differenceBits(value)}0`)
    .join('');
  const length = first.length + (blocks - 1) * 6;
  const bits = first.padEnd(Math.ceil(first.length / 8) * 8, '0').slice(0, Math.ceil(length / 8) * 8);
  const start = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  const bytes = Buffer.alloc(Math.ceil(length / 8));
  bytes.set(start.slice(0, bytes.length));
  const unused = bytes.length * 8 - length;
  bytes[bytes.length - 1]! |= (1 << unused) - 1; // the rest of the last byte is ones
  return Buffer.from(bytes.toString('latin1').replaceAll('\xff', '\xff\0'), 'latin1');
}

/** Returns the three values around zero. */
const lumaAndChroma = ([red, green, blue]: Color): number[] => [
  Math.round(0.299 * red + 0.587 * green + 0.114 * blue) - 128,
  Math.round(-0.1687 * red - 0.3313 * green + 0.5 * blue),
  Math.round(0.5 * red - 0.4187 * green - 0.0813 * blue),
];

/** Writes a value as its category and as many bits. A negative value has all bits of its size inverted. */
function differenceBits(value: number): string {
  if (value === 0) return '0';
  const category = Math.abs(value).toString(2).length;
  const bits = value > 0 ? value : value + 2 ** category - 1;
  return (0b10000 + category - 1).toString(2) + bits.toString(2).padStart(category, '0');
}
