import { expect, test } from 'bun:test';
import { flac, secondsOf } from './testing/sound-files.ts';

test('measures a FLAC file by its frames, whatever number of samples it claims', async () => {
  expect(await secondsOf(flac(1_000, 4_096_000))).toBe(92.88);
  expect(await secondsOf(flac(20_000, 44_100))).toBe(1857.596);
});
