import { expect, test } from 'bun:test';
import { boundOfBytes } from './bound-of-bytes.ts';
import { element, repeat, secondsOf, webm, zeros } from './testing/sound-files.ts';

/** The ids of EBML elements. */
const CLUSTER = '1f43b675';
const SIMPLE_BLOCK = 'a3';
const TRACK = 'ae';
const TRACK_NUMBER = 'd7';
const TRACK_TYPE = '83';
const CODEC = '86';

const packet = Buffer.from([0x81, 0, 0, 0x80, 0x78, 1, 2, 3]); // 20 ms of CELT
const block = element(SIMPLE_BLOCK, packet);
const INVALID = Buffer.from([0x00]);

/** A block of another codec, whose number of frames is unknown. */
const opaqueBlock = element(SIMPLE_BLOCK, Buffer.concat([packet.subarray(0, 4), zeros(60_000)]));
const OPAQUE_BYTES = 60_004;

test.each([
  'A_OPUS',
  'A_VORBIS',
])('measures %s by its packets or times, in live recordings too', async (codec) => {
  const blocks = () => Array.from({ length: 50 }, () => block);
  expect(await secondsOf(webm(codec, blocks, 60))).toBe(60);
});

test('measures until the time of the last cluster if each cluster is damaged', async () => {
  expect(await secondsOf(webm('A_OPUS', () => [block, INVALID], 1_000))).toBe(999);
});

test.each([
  ['an invalid byte', INVALID],
  ['an element longer than the file', Buffer.from('ec10ffffff', 'hex')],
])('measures the clusters after %s', async (_, damage) => {
  const cluster = Buffer.concat([Buffer.from(`${CLUSTER}01ffffffffffffff`, 'hex'), block]);
  const file = Buffer.concat([webm('A_OPUS', () => [block], 1), damage, repeat(cluster, 100)]);
  expect(await secondsOf(file)).toBe(2.02);
});

test('measures blocks of many frames by their bytes', async () => {
  expect(await secondsOf(webm('A_MPEG/L3', () => [opaqueBlock], 1))).toBeCloseTo(
    boundOfBytes(OPAQUE_BYTES),
    2,
  );
});

test('measures by bytes if a second track has another codec', async () => {
  const file = webm('A_OPUS', () => [opaqueBlock], 1);
  const firstCluster = file.indexOf(Buffer.from(CLUSTER, 'hex'));
  const track = element(
    TRACK,
    Buffer.concat([
      element(TRACK_NUMBER, Buffer.from([1])),
      element(TRACK_TYPE, Buffer.from([2])),
      element(CODEC, Buffer.from('A_AAC')),
    ]),
  );
  const twoTracks = Buffer.concat([file.subarray(0, firstCluster), track, file.subarray(firstCluster)]);
  expect(await secondsOf(twoTracks)).toBeCloseTo(boundOfBytes(OPAQUE_BYTES), 2);
});
