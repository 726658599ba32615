import { correctionBytes } from './correction-bytes.ts';
import { QrGrid } from './qr-grid.ts';

/** The correction bytes of each block of a version, and the number of its blocks. */
type BlockLayout = readonly [correctionBytes: number, blocks: number];

/** The layouts of the versions 1 to 15 at the lowest level of correction. */
// biome-ignore format: a line for five versions
const blockLayouts: readonly BlockLayout[] = [
  [7, 1], [10, 1], [15, 1], [20, 1], [26, 1],
  [18, 2], [20, 2], [24, 2], [30, 2], [18, 4],
  [20, 4], [24, 4], [26, 4], [30, 4], [22, 6],
];

const BYTE_MODE = 0b0100;

/** The bytes that fill the space after the text, in turn. */
const FILLING = [0xec, 0x11] as const;

/** Returns the modules of a version that hold data, in whole bytes. */
function bytesOf(version: number): number {
  const alignments = Math.floor(version / 7) + 2;
  const lost = version < 2 ? 0 : (25 * alignments - 10) * alignments - 55 + (version < 7 ? 0 : 36);
  return Math.floor(((16 * version + 128) * version + 64 - lost) / 8);
}

/** Makes the squares of a QR code, row by row. True is dark. Throws if the text is longer than 520 bytes. */
export function qrCode(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const index = blockLayouts.findIndex(
    (_, each) => capacityOf(each + 1) >= bytes.length + headerBytes(each + 1),
  );
  if (index < 0) throw new Error('the text is too long for a code');
  const version = index + 1;
  return new QrGrid(version).draw(interleaved(dataOf(bytes, version), version));
}

/** Returns the bits of the length of the text. */
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

/** Returns the bytes of the mode, the length and the end. The mode takes half a byte, and so does the end. */
const headerBytes = (version: number): number => 1 + lengthBits(version) / 8;

/** Returns the bytes of a version that hold data and not corrections. */
function capacityOf(version: number): number {
  const [correction, blocks] = blockLayouts[version - 1]!;
  return bytesOf(version) - correction * blocks;
}

function dataOf(bytes: readonly number[], version: number): number[] {
  const binary = (value: number, digits: number): string => value.toString(2).padStart(digits, '0');
  const bits = [
    binary(BYTE_MODE, 4),
    binary(bytes.length, lengthBits(version)),
    ...bytes.map((byte) => binary(byte, 8)),
    '0000',
  ].join('');
  const packed = bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  return Array.from(
    { length: capacityOf(version) },
    (_, index) => packed[index] ?? FILLING[(index - packed.length) % 2]!,
  );
}

/**
 * A byte of each block in turn, so that a stain damages all blocks a little.
 * Later blocks can be longer by one byte.
 */
function interleaved(data: readonly number[], version: number): number[] {
  const [correction, count] = blockLayouts[version - 1]!;
  const size = Math.floor(data.length / count);
  const shorter = count - (data.length % count);
  const startOf = (index: number): number => index * size + Math.max(0, index - shorter);
  const blocks = Array.from({ length: count }, (_, index) => data.slice(startOf(index), startOf(index + 1)));
  const columns = (rows: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, column) => rows.flatMap((row) => row[column] ?? [])).flat();
  return [
    ...columns(blocks, size + 1),
    ...columns(
      blocks.map((block) => correctionBytes(block, correction)),
      correction,
    ),
  ];
}
