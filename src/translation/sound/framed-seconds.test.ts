import { expect, test } from 'bun:test';
import type { KeptBytes } from '../../base/forms/form.ts';
import { framedSeconds } from './framed-seconds.ts';
import { SoundReader } from './sound-reader.ts';

/** The bytes that a reader has in memory. */
const WINDOW_BYTES = 64 * 1024;
const HEADER_BYTES = 10;

test('a frame that begins in the last bytes of a window is read', async () => {
  const lengths = [WINDOW_BYTES - HEADER_BYTES, 100];
  const starts = new Map([
    [0x01, lengths[0]!],
    [0x02, lengths[1]!],
  ]);
  const bytes = Buffer.alloc(lengths[0]! + lengths[1]!);
  bytes[0] = 0x01;
  bytes[lengths[0]!] = 0x02;
  const content: Pick<KeptBytes, 'read'> = {
    read: async (at, length) => new Uint8Array(bytes.subarray(at, at + length)),
  };
  const reader = new SoundReader({ at: 0, byteLength: bytes.length }, content as KeptBytes);
  const seconds = await framedSeconds(reader, (window, at) => {
    const byteLength = starts.get(window[at]!);
    return byteLength === undefined ? undefined : { byteLength, seconds: 1 };
  });
  expect(seconds).toBe(2);
});
