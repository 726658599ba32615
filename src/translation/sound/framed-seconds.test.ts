import { expect, test } from 'bun:test';
import type { KeptBytes } from '../../base/forms/form.ts';
import { boundOfBytes } from './bound-of-bytes.ts';
import { framedSeconds } from './framed-seconds.ts';
import { SoundReader } from './sound-reader.ts';
import { lengthIn, mp3, repeat, secondsOf } from './testing/sound-files.ts';

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

test('measures an MP3 file by its frames, past tags, covers and stray bytes', async () => {
  expect(await secondsOf(repeat(mp3, 1_000))).toBe(26.122);
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\x02\0\0', 'latin1'), Buffer.alloc(32_768, 0xff)]);
  expect(
    await secondsOf(Buffer.concat([tag, repeat(mp3, 1_000), Buffer.from(`TAG${' '.repeat(125)}`)])),
  ).toBe(26.122);
  // A frame that claims one second in its Xing header is a frame like any other.
  const xing = Buffer.from(mp3);
  xing.write('Xing\0\0\0\x01\0\0\0\x26', 36, 'latin1');
  expect(await secondsOf(Buffer.concat([xing, repeat(mp3, 20_000)]))).toBe(522.475);
  const stray = Buffer.concat([mp3, Buffer.alloc(10_000_000)]);
  expect((await lengthIn(stray)).seconds).toBeGreaterThan(boundOfBytes(9_900_000));
  expect(await secondsOf(Buffer.concat([tag, Buffer.alloc(1_000)]))).toBe('unknown');
  const other = Buffer.concat([mp3, Buffer.alloc(60_000)]);
  expect((await lengthIn(other)).seconds).toBeGreaterThan(boundOfBytes(56_000));
});

test('measures AAC by its frames', async () => {
  const frame = Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x0c, 0x9f, 0xfc]), Buffer.alloc(93)]);
  expect(await secondsOf(repeat(frame, 5_000))).toBe(116.1);
});
