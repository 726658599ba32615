import { boundOfBytes } from './bound-of-bytes.ts';
import { id3Bytes } from './id3-bytes.ts';
import type { SoundReader } from './sound-reader.ts';

/** A frame of a sound that is a row of frames. */
export type SoundFrame = { byteLength: number; seconds: number };

/** Reads the frame whose header begins at `at`. Returns undefined if no frame begins there. */
type FrameHeader = (bytes: Buffer, at: number) => SoundFrame | undefined;

const MAX_FRAME_HEADER_BYTES = 10;
/** Bytes outside frames count as a tag up to both limits. Bytes beyond them can be sound. */
const MAX_TAIL_BYTES = 64 * 1024;
const MAX_TAIL_SHARE = 1 / 16;
const SYNC_BYTE = 0xff;

type FrameSums = { seconds: number; frames: number; strayBytes: number };

/** Adds up the frames of a file. Bytes that belong to no frame count as sound of unknown kind. */
export async function framedSeconds(reader: SoundReader, frameAt: FrameHeader): Promise<number | undefined> {
  const sums: FrameSums = { seconds: 0, frames: 0, strayBytes: 0 };
  for (let at = await id3Bytes(reader); at < reader.size; ) {
    const bytes = await reader.windowFrom(at, MAX_FRAME_HEADER_BYTES + 1);
    // The last bytes of a window are read again with the next one.
    const end = bytes.length >= reader.size - at ? bytes.length : bytes.length - MAX_FRAME_HEADER_BYTES;
    at += addFrames(sums, bytes, { end, frameAt });
  }
  if (sums.frames === 0) return undefined;
  const tailBytes = Math.min(MAX_TAIL_BYTES, reader.size * MAX_TAIL_SHARE);
  return sums.seconds + boundOfBytes(Math.max(0, sums.strayBytes - tailBytes));
}

/** Adds the frames that begin before `end`. Returns the number of bytes up to the end of the last one. */
function addFrames(
  sums: FrameSums,
  bytes: Buffer,
  { end, frameAt }: { end: number; frameAt: FrameHeader },
): number {
  let read = 0;
  while (read < end) {
    const frame = frameAt(bytes, read);
    if (frame) {
      sums.seconds += frame.seconds;
      sums.frames++;
      read += frame.byteLength;
    } else {
      const next = nextSync(bytes, read + 1, end);
      sums.strayBytes += next - read;
      read = next;
    }
  }
  return read;
}

/** Returns the place of the next byte that can begin a frame, or the end. */
function nextSync(bytes: Buffer, from: number, end: number): number {
  const found = bytes.indexOf(SYNC_BYTE, from);
  return found < 0 ? end : Math.min(found, end);
}
