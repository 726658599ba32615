import { expect, test } from 'bun:test';
import { secondsOf, wav, zeros } from './testing/sound-files.ts';

test('measures a wave file by its bytes, whatever it claims', async () => {
  expect(await secondsOf(wav(10))).toBe(10);
  expect(await secondsOf(wav(10, { claimed: 1 }))).toBe(10);
  expect(await secondsOf(wav(2, { before: Buffer.from('LIST\x03\0\0\0abc\0') }))).toBe(2);
  expect(await secondsOf(wav(1, { tag: 0x11 }))).toBe('unknown');
  expect(await secondsOf(wav(10, { rate: 4_000_000 }))).toBe(52.083); // 80 MB are more than 10 s of any sound
  expect(await secondsOf(Buffer.from('RIFF\0\0\0\0WAVEfmt '))).toBe('unknown');
});

test('takes the format of a wave file that sounds longest, and no format that decoders read in another way', async () => {
  const format = (tag: number, bits: number, { rate = 8_000, extra = '' } = {}) => {
    const head = Buffer.from(wav(0, { rate, tag }).subarray(12, 36));
    const more = Buffer.from(extra, 'hex');
    head.writeUInt32LE(16 + more.length, 4);
    head.writeUInt32LE((rate * bits) / 8, 16);
    head.writeUInt16LE(bits / 8, 20);
    head.writeUInt16LE(bits, 22);
    return Buffer.concat([head, more]);
  };
  const file = (...formats: Buffer[]) =>
    Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), ...formats, Buffer.from('data\0\0\0\0'), zeros(80_000)]);
  expect(await secondsOf(file(format(1, 8), format(1, 32, { rate: 192_000 })))).toBe(10);
  expect(await secondsOf(file(format(1, 8), format(0x11, 8)))).toBe('unknown');
  expect(await secondsOf(file(format(7, 8)))).toBe(10);
  expect(await secondsOf(file(format(7, 32)))).toBe('unknown'); // decoders read µ-law at 8 bits
  const extended = (tag: string) => format(0xfffe, 16, { extra: `1600100000000000${tag}` });
  expect(await secondsOf(file(extended('0100')))).toBe(5);
  expect(await secondsOf(file(extended('5500')))).toBe('unknown'); // MP3
});
