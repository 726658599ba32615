import { expect, test } from 'bun:test';
import {
  box,
  element,
  flac,
  lengthIn,
  mp3,
  mp4,
  oggPage,
  repeat,
  secondsOf,
  track,
  wav,
  webm,
} from './testing/sound-files.ts';

test('takes files of no known kind at four hours for 25 MB', async () => {
  expect(await lengthIn(Buffer.alloc(26_214_400, 'x'))).toEqual({ seconds: 14_400, isMeasured: false });
});

test('reads cut and changed files of each kind without an error', async () => {
  const files = [
    wav(1),
    repeat(mp3, 3),
    flac(3, 1),
    mp4(box('moov', track('soun'))),
    webm('A_OPUS', () => [element('a3', Buffer.alloc(9))], 2),
    oggPage([Buffer.from('OpusHead'), Buffer.alloc(9)]),
  ];
  for (const file of files) {
    for (let at = 0; at < Math.min(file.length, 400); at++) {
      expect((await lengthIn(file.subarray(0, at))).seconds).toBeGreaterThanOrEqual(0);
      for (const byte of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(file);
        changed[at] = byte;
        expect((await lengthIn(changed)).seconds).toBeGreaterThan(0);
      }
    }
  }
});

test('takes a file of only tags or metadata as of no known kind', async () => {
  const tags = repeat(Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), 1_001);
  expect(await secondsOf(Buffer.concat([tags, repeat(mp3, 1_000)]))).toBe('unknown');
  const sound = flac(1_000, 0);
  const blocks = repeat(Buffer.from([1, 0, 0, 0]), 1_001);
  const metadata = Buffer.concat([Buffer.from([0, 0, 0, 34]), sound.subarray(8, 42), blocks]);
  const file = Buffer.concat([sound.subarray(0, 4), metadata, sound.subarray(4)]);
  expect(await secondsOf(file)).toBe('unknown');
});

test('gives way to other requests while it measures a file of tiny elements', async () => {
  const tiny = Buffer.alloc(1024 * 1024, Buffer.from([0xe7, 0x80]));
  tiny.set([0x1a, 0x45, 0xdf, 0xa3, 0x80, 0xe7, 0x81, 0x00]);
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  await lengthIn(tiny);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
});
