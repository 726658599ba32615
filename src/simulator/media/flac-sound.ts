import { crcOf } from './crc-of.ts';
import type { SoundWriter } from './sound-writer.ts';

const RATE = 24_000;
const SAMPLES = RATE / 2;

/** FLAC (RFC 9639) with blocks of one constant. */
export const flacSound: SoundWriter = {
  contentType: 'audio/flac',
  pieceSeconds: SAMPLES / RATE,
  head: (pieces, label) =>
    Buffer.concat([
      Buffer.from('fLaC'),
      block(0, streamInfo(pieces * SAMPLES)),
      block(0x80 | 4, comments(label)),
    ]),
  piece: frame,
};

function block(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head[0] = type;
  head.writeUIntBE(data.length, 1, 3);
  return Buffer.concat([head, data]);
}

function streamInfo(samples: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(SAMPLES, 0);
  info.writeUInt16BE(SAMPLES, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits for each sample less one, 36 of samples
  info.writeBigUInt64BE((BigInt(RATE) << 44n) | (15n << 36n) | BigInt(samples), 10);
  return info;
}

/** The lengths in comments are little-endian, unlike all others. */
function comments(label: string): Buffer {
  const texts = ['tollgate', `TITLE=${label}`].map((text) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  });
  return Buffer.concat([texts[0]!, Buffer.from([1, 0, 0, 0]), texts[1]!]);
}

function frame(index: number): Buffer {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(SAMPLES - 1);
  // A length of 16 bits at the end of the header, the rate of the stream, mono, 16 bits for each sample.
  const head = Buffer.from([0xff, 0xf8, 0x70, 0x08, ...numberBytes(index), ...size]);
  // A constant has the type 0, and then the one sample.
  const bytes = Buffer.from([...head, crcOf(head, 8, 0x07), 0, 0, 0]);
  const check = Buffer.alloc(2);
  check.writeUInt16BE(crcOf(bytes, 16, 0x8005));
  return Buffer.concat([bytes, check]);
}

/** Writes the number of a block as UTF-8 writes a character. */
const numberBytes = (index: number): Buffer =>
  Buffer.from(String.fromCodePoint(index < 0xd800 ? index : index + 0x800));
