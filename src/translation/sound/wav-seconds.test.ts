import { describe, expect, test } from 'bun:test';
import { secondsOf, wav, zeros } from './testing/sound-files.ts';

/** The tags of formats, as the vendor's headers number them. */
const PCM = 1;
const MU_LAW = 7;
const IMA_ADPCM = 0x11;
const EXTENSIBLE = 0xfffe;

describe('the length of a wave file', () => {
  test('is that of its bytes', async () => {
    expect(await secondsOf(wav(10))).toBe(10);
  });

  test('does not depend on the length in its header', async () => {
    expect(await secondsOf(wav(10, { claimed: 1 }))).toBe(10);
  });

  test('does not count other chunks', async () => {
    expect(await secondsOf(wav(2, { before: Buffer.from('LIST\x03\0\0\0abc\0') }))).toBe(2);
  });

  test('is bounded by the rates of real recordings', async () => {
    expect(await secondsOf(wav(10, { rate: 4_000_000 }))).toBe(52.083); // 80 MB are more than 10 s of any sound
  });

  test('is unknown for a compressed format', async () => {
    expect(await secondsOf(wav(1, { tag: IMA_ADPCM }))).toBe('unknown');
  });

  test('is unknown if the file ends within its format', async () => {
    expect(await secondsOf(Buffer.from('RIFF\0\0\0\0WAVEfmt '))).toBe('unknown');
  });
});

describe('a wave file with unusual formats', () => {
  /** Returns a chunk with the format of one channel. */
  function format(tag: number, bits: number, { rate = 8_000, extra = '' } = {}) {
    const chunk = Buffer.from(wav(0, { rate, tag }).subarray(12, 36));
    const extension = Buffer.from(extra, 'hex');
    const field = { size: 4, bytesPerSecond: 16, bytesPerSample: 20, bitsPerSample: 22 };
    chunk.writeUInt32LE(16 + extension.length, field.size);
    chunk.writeUInt32LE((rate * bits) / 8, field.bytesPerSecond);
    chunk.writeUInt16LE(bits / 8, field.bytesPerSample);
    chunk.writeUInt16LE(bits, field.bitsPerSample);
    return Buffer.concat([chunk, extension]);
  }
  const lengthWith = (...formats: Buffer[]) =>
    secondsOf(
      Buffer.concat([
        Buffer.from('RIFF\0\0\0\0WAVE'),
        ...formats,
        Buffer.from('data\0\0\0\0'),
        zeros(80_000),
      ]),
    );
  const extensible = (tag: string) => format(EXTENSIBLE, 16, { extra: `1600100000000000${tag}` });

  test('has the longest length that a format gives', async () => {
    expect(await lengthWith(format(PCM, 8), format(PCM, 32, { rate: 192_000 }))).toBe(10);
  });

  test('is unknown if one of its formats is compressed', async () => {
    expect(await lengthWith(format(PCM, 8), format(IMA_ADPCM, 8))).toBe('unknown');
  });

  test('can have µ-law, which decoders read at 8 bits only', async () => {
    expect(await lengthWith(format(MU_LAW, 8))).toBe(10);
    expect(await lengthWith(format(MU_LAW, 32))).toBe('unknown');
  });

  test('is measured if its extensible format stands for PCM', async () => {
    expect(await lengthWith(extensible('0100'))).toBe(5);
  });

  test('is unknown if its extensible format stands for MP3', async () => {
    expect(await lengthWith(extensible('5500'))).toBe('unknown');
  });
});
