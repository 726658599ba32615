import { correctionBytes } from './correction-bytes.ts';
import { QrGrid } from './qr-grid.ts';

/**
 * Correction bytes of a block, and the number of blocks, of the versions 1 to 15 at
 * the lowest level of correction.
 */
const blocksOf: readonly [correction: number, blocks: number][] = [
  ...([
    [7, 1],
    [10, 1],
    [15, 1],
    [20, 1],
    [26, 1],
  ] as const),
  ...([
    [18, 2],
    [20, 2],
    [24, 2],
    [30, 2],
    [18, 4],
  ] as const),
  ...([
    [20, 4],
    [24, 4],
    [26, 4],
    [30, 4],
    [22, 6],
  ] as const),
] as [number, number][];

const BYTE_MODE = 0b0100;

/** Returns the modules of a version that hold data, in whole bytes. */
function bytesOf(version: number): number {
  const alignments = Math.floor(version / 7) + 2;
  const lost = version < 2 ? 0 : (25 * alignments - 10) * alignments - 55 + (version < 7 ? 0 : 36);
  return Math.floor(((16 * version + 128) * version + 64 - lost) / 8);
}

/** Makes the squares of a QR code, row by row. True is dark. Throws if the text is longer than 520 bytes. */
export function qrCode(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  const version =
    1 + blocksOf.findIndex((_, index) => capacityOf(index + 1) >= bytes.length + lengthBytes(index + 1));
  if (version === 0) throw new Error('the text is too long for a code');
  return new QrGrid(version).draw(interleaved(dataOf(bytes, version), version));
}

/** The mode takes half a byte, and the rest of it is the end. */
const lengthBytes = (version: number): number => (version < 10 ? 2 : 3);

function capacityOf(version: number): number {
  const [correction, blocks] = blocksOf[version - 1]!;
  return bytesOf(version) - correction * blocks;
}

function dataOf(bytes: readonly number[], version: number): number[] {
  const length = bytes.length.toString(2).padStart(version < 10 ? 8 : 16, '0');
  const bits = [
    BYTE_MODE.toString(2).padStart(4, '0'),
    length,
    ...bytes.map((byte) => byte.toString(2).padStart(8, '0')),
  ];
  const packed = (`${bits.join('')}0000`.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const filling = [0xec, 0x11];
  return Array.from(
    { length: capacityOf(version) },
    (_, index) => packed[index] ?? filling[(index - packed.length) % 2]!,
  );
}

/**
 * A byte of each block in turn, so that a stain damages all blocks a little.
 * Later blocks can be longer by one byte.
 */
function interleaved(data: readonly number[], version: number): number[] {
  const [correction, count] = blocksOf[version - 1]!;
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
