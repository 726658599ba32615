import type { SoundReader } from './sound-reader.ts';

/** The length of a tag's header, and of the footer that repeats it. */
const HEADER_BYTES = 10;
const HAS_FOOTER = 0x10;
const MAX_TAGS = 1_000;

/** Returns the length of the tags (ID3v2) at the beginning of a file. */
export async function id3Bytes(reader: SoundReader): Promise<number> {
  let at = 0;
  for (;;) {
    const head = await reader.bytes(at, HEADER_BYTES);
    if (head.length < HEADER_BYTES || head.toString('latin1', 0, 3) !== 'ID3') return at;
    reader.countStep(MAX_TAGS);
    at += HEADER_BYTES + syncsafe(head, 6) + ((head[5]! & HAS_FOOTER) === 0 ? 0 : HEADER_BYTES);
  }
}

/** Reads four bytes with seven bits of a number each (ID3v2.4, 6.2). */
const syncsafe = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((number, byte) => number * 128 + (byte & 0x7f), 0);
