import type { SoundWriter } from './sound-writer.ts';

/** A silent frame of AAC-LC in mono. */
const SILENCE = [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80];
const HEADER_BYTES = 7;
const LENGTH = HEADER_BYTES + SILENCE.length;
/** AAC-LC, 24 kHz, one channel, the length of the frame, a full buffer. */
// biome-ignore format: a line for each group
const FRAME = Buffer.from([
  0xff, 0xf1, 0x58, 0x40 | (LENGTH >> 11), (LENGTH >> 3) & 0xff, ((LENGTH & 7) << 5) | 0x1f, 0xfc,
  ...SILENCE,
]);
const FRAMES = 12;
const PIECE = Buffer.concat(Array.from({ length: FRAMES }, () => FRAME));

/** The format has no place for a label. */
export const adtsSound: SoundWriter = {
  contentType: 'audio/aac',
  pieceSeconds: (FRAMES * 1_024) / 24_000,
  head: () => new Uint8Array(),
  piece: () => PIECE,
};
