import { expect, test } from 'bun:test';
import { boundOfBytes } from './bound-of-bytes.ts';
import { lengthIn, oggPage, repeat, secondsOf, zeros } from './testing/sound-files.ts';

test('measures Opus in Ogg by its packets, and Vorbis by its position unless its packets hold far more', async () => {
  const heads = [oggPage([Buffer.from('OpusHead\x01\x01')]), oggPage([Buffer.from('OpusTags and more')])];
  const packet = Buffer.concat([Buffer.from([0x48]), Buffer.alloc(299)]); // 20 ms of SILK
  const page = oggPage([packet, packet, packet], 48_000);
  expect(await secondsOf(Buffer.concat([...heads, repeat(page, 1_000)]))).toBe(60);
  const vorbis = Buffer.alloc(30);
  vorbis.write('\x01vorbis', 'latin1');
  vorbis.writeUInt32LE(44_100, 12);
  vorbis[28] = 0xb8;
  const sound = (granule: number) =>
    Buffer.concat([oggPage([vorbis]), repeat(oggPage([packet, packet], granule), 1_000)]);
  expect(await secondsOf(sound(44_100 * 40))).toBe(40);
  expect(await secondsOf(sound(44_100))).toBe(46.463);
});

test('measures all streams of an Ogg file, past stray bytes and within damaged pages', async () => {
  const head = oggPage([Buffer.from('OpusHead\x01\x01')]);
  const page = oggPage([Buffer.concat([Buffer.from([0x48]), zeros(299)])]);
  const sound = repeat(page, 1_000);
  expect(await secondsOf(Buffer.concat([head, page, Buffer.from('x'), sound]))).toBe(20.02);
  const hidden = Buffer.concat([zeros(1), repeat(page, 30)]);
  // Decoders skip the damaged page.
  expect(await secondsOf(Buffer.concat([head, oggPage([hidden])]))).toBe(0.61);
  expect(
    (await lengthIn(Buffer.concat([head, zeros(70_000), Buffer.from('OggS'.repeat(5_000))]))).seconds,
  ).toBe(boundOfBytes(head.length + 90_000));
  const vorbis = zeros(30);
  vorbis.write('\x01vorbis', 'latin1');
  vorbis.writeUInt32LE(0xffff_ffff, 12);
  const other = { serial: 7 };
  const second = [oggPage([Buffer.from('OpusHead\x01\x01')], 0, other), oggPage([zeros(9)], 0, other)];
  expect(await secondsOf(Buffer.concat([oggPage([vorbis]), ...second, sound]))).toBe(0.01);
  const real = repeat(oggPage([Buffer.concat([Buffer.from([0x48]), zeros(299)])], 0, other), 1_000);
  expect(await secondsOf(Buffer.concat([oggPage([vorbis]), second[0]!, real]))).toBe(20);
  expect(await secondsOf(Buffer.concat([head, oggPage([Buffer.from('fishead')], 0, other), sound]))).toBe(
    'unknown',
  );
});
