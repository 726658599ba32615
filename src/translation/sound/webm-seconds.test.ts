import { expect, test } from 'bun:test';
import { boundOfBytes } from './bound-of-bytes.ts';
import { element, repeat, secondsOf, webm, zeros } from './testing/sound-files.ts';

test('measures WebM by its Opus packets, even within live recordings of unknown size', async () => {
  const packet = Buffer.from([0x81, 0, 0, 0x80, 0x78, 1, 2, 3]); // 20 ms of CELT
  const blocks = () => Array.from({ length: 50 }, () => element('a3', packet));
  expect(await secondsOf(webm('A_OPUS', blocks, 60))).toBe(60);
  expect(await secondsOf(webm('A_VORBIS', blocks, 60))).toBe(60);
});

test('measures WebM past damaged elements, and blocks of many frames by their bytes', async () => {
  const packet = Buffer.from([0x81, 0, 0, 0x80, 0x78, 1, 2, 3]);
  const [block, lost] = [element('a3', packet), Buffer.from([0x00])];
  // The time of the last cluster.
  expect(await secondsOf(webm('A_OPUS', () => [block, lost], 1_000))).toBe(999);
  const still = (piece: Buffer) =>
    secondsOf(Buffer.concat([webm('A_OPUS', () => [block], 1), piece, repeat(cluster, 100)]));
  const cluster = Buffer.concat([Buffer.from('1f43b67501ffffffffffffff', 'hex'), block]);
  expect(await still(lost)).toBe(2.02);
  expect(await still(Buffer.from('ec10ffffff', 'hex'))).toBe(2.02); // an element longer than the file
  const long = Buffer.concat([packet.subarray(0, 4), zeros(60_000)]);
  expect(await secondsOf(webm('A_MPEG/L3', () => [element('a3', long)], 1))).toBeCloseTo(
    boundOfBytes(60_004),
    2,
  );
  const twice = (more: Buffer) => {
    const file = webm('A_OPUS', () => [element('a3', long)], 1);
    const at = file.indexOf(Buffer.from('1f43b675', 'hex'));
    return secondsOf(Buffer.concat([file.subarray(0, at), more, file.subarray(at)]));
  };
  const entry = [
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([2])),
    element('86', Buffer.from('A_AAC')),
  ];
  expect(await twice(element('ae', Buffer.concat(entry)))).toBeCloseTo(boundOfBytes(60_004), 2);
});
