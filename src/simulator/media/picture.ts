import { keysOf } from '../../base/lib/records.ts';
import type { Color, Size } from './canvas.ts';
import { jpegOf } from './jpeg-of.ts';
import { pngOf } from './png-of.ts';
import { webpOf } from './webp-of.ts';

const WRITERS = { png: pngOf, jpeg: jpegOf, webp: webpOf } as const;

export type PictureFormat = keyof typeof WRITERS;
export const PICTURE_FORMATS = keysOf(WRITERS);

/** The text in the metadata of each file. A PNG also shows it. */
export const PICTURE_LABEL = 'SIMULATED';

/** Returns an image file in a color that only the seed decides. */
export function pictureOf({ width, height }: Size, format: PictureFormat, seed: string): Buffer {
  const hash = Bun.hash.crc32(seed);
  const color: Color = [64 + (hash & 0x7f), 64 + ((hash >>> 8) & 0x7f), 64 + ((hash >>> 16) & 0x7f)];
  return WRITERS[format]({ width, height, color }, PICTURE_LABEL);
}
