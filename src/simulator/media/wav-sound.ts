import type { SoundWriter } from './sound-writer.ts';

const RATE = 24_000;
/** A period of 400 Hz has 60 samples. */
const PERIOD = 60;
const LOUDNESS = 2_000;
const SAMPLES = RATE / 2;
const PIECE = Buffer.alloc(SAMPLES * 2);
for (let at = 0; at < SAMPLES; at++)
  PIECE.writeInt16LE(Math.round(LOUDNESS * Math.sin((2 * Math.PI * (at % PERIOD)) / PERIOD)), at * 2);

/** Samples of 16 bits at 24 kHz, without a header and so without a label. */
export const pcmSound: SoundWriter = {
  contentType: 'audio/pcm',
  pieceSeconds: SAMPLES / RATE,
  head: () => new Uint8Array(),
  piece: () => PIECE,
};

export const wavSound: SoundWriter = { ...pcmSound, contentType: 'audio/wav', head: wavHead };

function wavHead(pieces: number, label: string): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0); // PCM
  format.writeUInt16LE(1, 2); // mono
  format.writeUInt32LE(RATE, 4);
  format.writeUInt32LE(RATE * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const comment = Buffer.concat([Buffer.from('INFO'), chunk('ICMT', Buffer.from(`${label}\0`))]);
  const chunks = Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', format), chunk('LIST', comment)]);
  const samples = pieces * PIECE.length;
  return Buffer.concat([headOf('RIFF', chunks.length + 8 + samples), chunks, headOf('data', samples)]);
}

function headOf(type: string, size: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(size, 4);
  return head;
}

const chunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([headOf(type, data.length), data, Buffer.alloc(data.length % 2)]);
