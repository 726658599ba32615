import { expect, test } from 'bun:test';
import { box, mp4, repeat, secondsOf, track, u32, zeros } from './testing/sound-files.ts';

test('measures an MP4 file by the samples of its sound track, at either end and in fragments', async () => {
  expect(await secondsOf(mp4(box('moov', track('soun')), box('mdat', zeros(500_000))))).toBe(23.22);
  expect(
    await secondsOf(
      mp4(box('mdat', zeros(500_000)), box('moov', track('vide', { samples: 9_000 }), track('soun'))),
    ),
  ).toBe(23.22);
  expect(await secondsOf(mp4(box('moov', track('soun', { delta: 1 }))))).toBe(23.22); // the table claims 23 ms
  const fragment = box('moof', box('traf', box('tfhd', zeros(4), u32(7)), box('trun', zeros(4), u32(100))));
  const empty = track('soun', { samples: 0 });
  expect(await secondsOf(mp4(box('moov', empty), repeat(fragment, 50)))).toBe(116.1);
  expect(await secondsOf(mp4(box('moov', track('vide'))))).toBe('unknown');
  let nested = zeros(8);
  for (let depth = 0; depth < 2_000; depth++) nested = box('mdia', nested);
  expect(await secondsOf(mp4(box('moov', box('trak', nested))))).toBe('unknown');
});

test('takes no claim of an MP4 file that makes its sound seem shorter', async () => {
  const seconds = (...tracks: Buffer[]) => secondsOf(mp4(box('moov', ...tracks)));
  expect(await seconds(track('soun', { delta: 1, sizes: 'stz2' }))).toBe(23.22);
  expect(await seconds(track('soun'), track('soun', { samples: 1 }))).toBe(23.22); // both have the same id
  const config = (object: number, aac: string) =>
    box(
      'esds',
      Buffer.from(
        `000000000319000000 0411${object.toString(16)}${'00'.repeat(12)}0502${aac}`.replace(' ', ''),
        'hex',
      ),
    );
  expect(await seconds(track('soun', { config: config(0x40, '1208') }))).toBe(23.22);
  expect(await seconds(track('soun', { delta: 1, config: config(0x40, '1588') }))).toBe(128); // 8 kHz
  expect(await seconds(track('soun', { config: config(0x6b, '1208') }))).toBe('unknown'); // MP3
  expect(await seconds(track('soun', { codec: '.mp3' }))).toBe('unknown');
  const again = (codec: string) => {
    const entry = Buffer.concat([zeros(24), u32((44_100 << 16) >>> 0)]);
    const table = box('stsd', zeros(4), u32(1), box(codec, entry));
    return box('mdia', box('minf', box('stbl', table)));
  };
  const slow = { delta: 1, config: config(0x40, '1588') };
  expect(await seconds(track('soun', { ...slow, extra: again('mp4a') }))).toBe(128);
  expect(await seconds(track('soun', { ...slow, extra: again('alac') }))).toBe('unknown');
  expect(await seconds(track('soun', { config: Buffer.from('esds'.repeat(1_000)) }))).toBe('unknown');
  expect(await seconds(...Array.from({ length: 1_001 }, () => track('soun')))).toBe('unknown');
});
