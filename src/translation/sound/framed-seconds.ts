import { boundOfBytes } from './bound-of-bytes.ts';
import type { SoundReader } from './sound-reader.ts';

/** A frame of a sound that is a row of frames. */
export type SoundFrame = { byteLength: number; seconds: number };
/** Reads the frame whose header begins at `at`. Returns undefined if there is none. */
export type FrameHeader = (bytes: Buffer, at: number) => SoundFrame | undefined;

const HEADER_BYTES = 10;
/** A tag at the end of a file, and its part of the file. More could be sound of a different kind. */
const MAX_TAIL_BYTES = 64 * 1024;
const MAX_TAIL_SHARE = 1 / 16;

/** Adds up the frames of a file. Bytes that belong to no frame count as sound of unknown kind. */
export async function framedSeconds(reader: SoundReader, frameAt: FrameHeader): Promise<number | undefined> {
  let at = await tagBytes(reader);
  let seconds = 0;
  let frames = 0;
  let strayBytes = 0;
  while (at < reader.size) {
    const bytes = await reader.windowFrom(at, HEADER_BYTES + 1);
    let read = 0;
    // The last bytes of a window are read again with the next one.
    const end = bytes.length >= reader.size - at ? bytes.length : bytes.length - HEADER_BYTES;
    while (read < end) {
      const frame = frameAt(bytes, read);
      if (frame) {
        seconds += frame.seconds;
        frames++;
        read += frame.byteLength;
      } else {
        const from = read;
        do read++;
        while (read < end && bytes[read] !== 0xff);
        strayBytes += read - from;
      }
    }
    at += read;
  }
  if (frames === 0) return undefined;
  const tail = Math.min(MAX_TAIL_BYTES, reader.size * MAX_TAIL_SHARE);
  return seconds + boundOfBytes(Math.max(0, strayBytes - tail));
}

/** Returns the length of the tags (ID3v2) before the first frame. */
async function tagBytes(reader: SoundReader): Promise<number> {
  let at = 0;
  for (;;) {
    const head = await reader.bytes(at, HEADER_BYTES);
    if (head.length < HEADER_BYTES || head.toString('latin1', 0, 3) !== 'ID3') return at;
    const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + (head[place]! & 0x7f), 0);
    at += HEADER_BYTES + size + ((head[5]! & 0x10) === 0 ? 0 : HEADER_BYTES);
  }
}
