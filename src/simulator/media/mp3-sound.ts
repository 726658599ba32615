import type { SoundWriter } from './sound-writer.ts';

/** MPEG-2 layer III, 32 kbit/s, 24 kHz, mono. Its samples are zero, since nothing else is set. */
const FRAME = Buffer.alloc(96);
FRAME.set([0xff, 0xf3, 0x44, 0xc0]);
const FRAMES = 20;
const FRAME_SECONDS = 576 / 24_000;
const PIECE = Buffer.concat(Array.from({ length: FRAMES }, () => FRAME));

export const mp3Sound: SoundWriter = {
  contentType: 'audio/mpeg',
  pieceSeconds: FRAMES * FRAME_SECONDS,
  head: (_, label) => id3Of(label),
  piece: () => PIECE,
};

/**
 * Writes an ID3 tag with one title. Sizes have seven bits in each byte, so a tag of less than 128 bytes has
 * one.
 */
function id3Of(title: string): Buffer {
  const text = Buffer.from(`\0${title}`, 'latin1');
  const frame = Buffer.concat([Buffer.from('TIT2\0\0\0\0\0\0', 'latin1'), text]);
  frame[7] = text.length;
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), frame]);
  tag[9] = frame.length;
  return tag;
}
