import { describe, expect, test } from 'bun:test';
import { boundOfBytes } from './bound-of-bytes.ts';
import { lengthIn, oggPage, repeat, secondsOf, zeros } from './testing/sound-files.ts';

const opusHead = Buffer.from('OpusHead\x01\x01');
const silkPacket = Buffer.concat([Buffer.from([0x48]), zeros(299)]); // 20 ms
const silkPage = oggPage([silkPacket]);

/** Returns the header of a Vorbis stream. */
function vorbisHead(rate: number, { blockSizes = 0 } = {}) {
  const head = zeros(30);
  head.write('\x01vorbis', 'latin1');
  head.writeUInt32LE(rate, 12);
  head[28] = blockSizes;
  return head;
}

test('measures Opus in Ogg by its packets', async () => {
  const heads = [oggPage([opusHead]), oggPage([Buffer.from('OpusTags and more')])];
  const page = oggPage([silkPacket, silkPacket, silkPacket], 48_000);
  expect(await secondsOf(Buffer.concat([...heads, repeat(page, 1_000)]))).toBe(60);
});

describe('Vorbis in Ogg', () => {
  const RATE = 44_100;
  const vorbisEndingAt = (seconds: number) =>
    Buffer.concat([
      oggPage([vorbisHead(RATE, { blockSizes: 0xb8 })]),
      repeat(oggPage([silkPacket, silkPacket], RATE * seconds), 1_000),
    ]);

  test('is measured by its position', async () => {
    expect(await secondsOf(vorbisEndingAt(40))).toBe(40);
  });

  test('is measured by its packets if they hold far more', async () => {
    expect(await secondsOf(vorbisEndingAt(1))).toBe(46.463);
  });
});

describe('a damaged Ogg file', () => {
  const head = oggPage([opusHead]);
  const sound = repeat(silkPage, 1_000);

  test('is measured past stray bytes', async () => {
    expect(await secondsOf(Buffer.concat([head, silkPage, Buffer.from('x'), sound]))).toBe(20.02);
  });

  test('is measured within a damaged page, which decoders skip', async () => {
    const hidden = Buffer.concat([zeros(1), repeat(silkPage, 30)]);
    expect(await secondsOf(Buffer.concat([head, oggPage([hidden])]))).toBe(0.61);
  });

  test('is bounded by its bytes if it has too many beginnings of pages', async () => {
    const { seconds } = await lengthIn(
      Buffer.concat([head, zeros(70_000), Buffer.from('OggS'.repeat(5_000))]),
    );
    expect(seconds).toBe(boundOfBytes(head.length + 90_000));
  });
});

describe('an Ogg file with several streams', () => {
  const vorbis = oggPage([vorbisHead(0xffff_ffff)]);
  const second = { serial: 7 };
  const secondHead = oggPage([opusHead], 0, second);
  const sound = repeat(silkPage, 1_000);

  test('has the length of the second one if the first is silent', async () => {
    const pages = [vorbis, secondHead, repeat(oggPage([silkPacket], 0, second), 1_000)];
    expect(await secondsOf(Buffer.concat(pages))).toBe(20);
  });

  test('counts the pages of each stream by its own rules', async () => {
    const pages = [vorbis, secondHead, oggPage([zeros(9)], 0, second), sound];
    expect(await secondsOf(Buffer.concat(pages))).toBe(0.01);
  });

  test('has an unknown length if one of them is not sound', async () => {
    const pages = [oggPage([opusHead]), oggPage([Buffer.from('fishead')], 0, second), sound];
    expect(await secondsOf(Buffer.concat(pages))).toBe('unknown');
  });
});
