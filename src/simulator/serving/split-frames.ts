import type { Misbehaviour } from './misbehaviour.ts';
import { untilSent, wait } from './wait.ts';

/** The smallest first byte of a multi-byte character. */
const LEADING_BYTE = 0xc0;
/** The pause between two halves. Without it they would be sent together. */
const SPLIT_GAP_MS = 1;

/** Splits the bytes at places other than the event boundaries. */
export async function* splitFrames(
  frames: AsyncIterable<Uint8Array>,
  { dripBytes, dripMs = 0, splitUtf8 }: Misbehaviour,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const gapMs = splitUtf8 ? Math.max(dripMs, SPLIT_GAP_MS) : dripMs;
  for await (const frame of frames) {
    const size = dripBytes ?? frame.length;
    for (const [start, end] of splitUtf8 ? halves(frame) : slices(frame.length, size)) {
      await (gapMs > 0 ? wait(gapMs, signal) : untilSent());
      if (signal.aborted) return;
      yield frame.subarray(start, end);
    }
  }
}

const slices = (length: number, size: number): [number, number][] =>
  Array.from({ length: Math.ceil(length / size) }, (_, at) => [at * size, Math.min(length, (at + 1) * size)]);

/** Splits after the first byte of the first multi-byte character, or in the middle if there is none. */
function halves(frame: Uint8Array): [number, number][] {
  const leading = frame.findIndex((byte) => byte >= LEADING_BYTE);
  const at = leading < 0 ? Math.floor(frame.length / 2) : leading + 1;
  return [
    [0, at],
    [at, frame.length],
  ];
}
