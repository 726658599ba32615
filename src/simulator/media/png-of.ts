import { deflateSync } from 'node:zlib';
import type { Canvas } from './canvas.ts';
import { LETTER_HEIGHT, LETTER_WIDTH, letterDots } from './letters.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const WHITE = [255, 255, 255];

/** Writes a PNG (RFC 2083) with one bit for each pixel: the color, and the label in white. */
export function pngOf({ width, height, color }: Canvas, label: string): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 3], 8); // one bit, a palette
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...color, ...WHITE])),
    chunk('tEXt', Buffer.from(`Comment\0${label}`)),
    chunk('IDAT', deflateSync(rowsOf(width, height, label))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.byteLength);
  bytes.writeUInt32BE(data.byteLength, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(Bun.hash.crc32(bytes.subarray(4, 8 + data.byteLength)), 8 + data.byteLength);
  return bytes;
}

/** Returns the rows of the picture. Each begins with the byte 0, which means that it is not filtered. */
function rowsOf(width: number, height: number, label: string): Buffer {
  const rowBytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(rowBytes * height);
  const scale = Math.floor(width / ((LETTER_WIDTH + 1) * (label.length + 2)));
  const margin = Math.floor((width - scale * (LETTER_WIDTH + 1) * label.length) / 2);
  const top = Math.floor((height - scale * LETTER_HEIGHT) / 2);
  if (scale < 1 || top < 0) return rows; // too small for letters
  for (const [column, row] of letterDots(label))
    for (let down = 0; down < scale; down++)
      for (let right = 0; right < scale; right++) {
        const x = margin + column * scale + right;
        rows[(top + row * scale + down) * rowBytes + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
      }
  return rows;
}
