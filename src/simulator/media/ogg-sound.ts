import { crcOf } from './crc-of.ts';
import type { SoundWriter } from './sound-writer.ts';

/** 20 ms of silence (RFC 6716). */
const PACKET = Buffer.from([0xf8, 0xff, 0xfe]);
const PACKETS = 25;
/** Places in an Ogg file with Opus count samples at 48 kHz. */
const PACKET_SAMPLES = 960;
const SERIAL = 1;
const FIRST = 2;
const LAST = 4;

/** Opus in Ogg (RFC 3533, RFC 7845). */
export const oggSound: SoundWriter = {
  contentType: 'audio/ogg',
  pieceSeconds: (PACKETS * PACKET_SAMPLES) / 48_000,
  head: (_, label) => Buffer.concat([page([opusHead()], FIRST, 0, 0), page([opusTags(label)], 0, 0, 1)]),
  piece: (index, { isLast }) =>
    page(
      Array.from({ length: PACKETS }, () => PACKET),
      isLast ? LAST : 0,
      (index + 1) * PACKETS * PACKET_SAMPLES,
      index + 2,
    ),
};

function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 'latin1');
  head.set([1, 1], 8); // the version, one channel
  head.writeUInt32LE(24_000, 12);
  return head;
}

function opusTags(label: string): Buffer {
  const comment = `TITLE=${label}`;
  return Buffer.concat([Buffer.from('OpusTags'), counted('tollgate'), uint32(1), counted(comment)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

const counted = (text: string): Buffer => Buffer.concat([uint32(Buffer.byteLength(text)), Buffer.from(text)]);

/** Writes a page of packets below 255 bytes, so that each takes one entry of the table of lengths. */
function page(packets: Buffer[], flags: number, samples: number, sequence: number): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head[5] = flags;
  head.writeBigUInt64LE(BigInt(samples), 6);
  head.writeUInt32LE(SERIAL, 14);
  head.writeUInt32LE(sequence, 18);
  head[26] = packets.length;
  const bytes = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
  bytes.writeUInt32LE(crcOf(bytes, 32, 0x04c11db7), 22);
  return bytes;
}
