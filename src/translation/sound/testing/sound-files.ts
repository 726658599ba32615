import { soundSeconds } from '../sound-seconds.ts';

/** Measures a file that begins at an odd place, and is read in pieces that the reader asks for. */
export async function lengthIn(bytes: Buffer) {
  const ahead = Buffer.from('other file');
  const all = Buffer.concat([ahead, bytes, Buffer.from('next')]);
  const kept = {
    byteLength: all.length,
    read: (at: number, length: number) => all.subarray(at, at + length),
  };
  return soundSeconds({ at: ahead.length, byteLength: bytes.length }, kept);
}

/** Returns the measured length of a file, or `unknown` if its length is only a bound. */
export const secondsOf = async (bytes: Buffer) => {
  const { seconds, isMeasured } = await lengthIn(bytes);
  return isMeasured ? Math.round(seconds * 1_000) / 1_000 : 'unknown';
};

export const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const zeros = (length: number) => Buffer.alloc(length);

export const repeat = (piece: Buffer, times: number) =>
  Buffer.concat(Array.from({ length: times }, () => piece));

export function wav(
  seconds: number,
  { rate = 16_000, claimed = seconds, before = Buffer.alloc(0), tag = 1 } = {},
) {
  const format = Buffer.alloc(24);
  format.write('fmt ');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(tag, 8);
  format.writeUInt16LE(1, 10);
  format.writeUInt32LE(rate, 12);
  format.writeUInt32LE(rate * 2, 16);
  format.writeUInt16LE(2, 20);
  format.writeUInt16LE(16, 22);
  const data = Buffer.alloc(8 + seconds * rate * 2);
  data.write('data');
  data.writeUInt32LE(claimed * rate * 2, 4);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), before, format, data]);
}

/** A frame of 128 kbit/s at 44,100 Hz. */
export const mp3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413)]);

export function flac(frames: number, claimed: number) {
  const info = Buffer.alloc(34);
  info.writeUIntBE((44_100 << 4) | 2, 10, 3);
  info[13] = 0xf0;
  info.writeUInt32BE(claimed, 14);
  const head = Buffer.from([0xff, 0xf8, 0xc9, 0x18, 0x00]);
  let crc = 0;
  for (const byte of head) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x80 ? 7 : 0)) & 0xff;
  }
  const frame = Buffer.concat([head, Buffer.from([crc]), Buffer.alloc(50, 0xff)]);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, repeat(frame, frames)]);
}

export function oggPage(packets: Buffer[], granule = 0, { flags = 0, serial = 0 } = {}) {
  const head = Buffer.alloc(27);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(serial, 14);
  const sizes = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  head[26] = sizes.length;
  return Buffer.concat([head, Buffer.from(sizes), ...packets]);
}

export const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
};

type TrackForm = {
  samples?: number;
  delta?: number;
  extra?: Buffer;
  codec?: string;
  sizes?: string;
  config?: Buffer;
};

/** Writes a track of an MP4 file. `kind`: the type of its handler, which is `soun` for sound. */
export function track(kind: string, form: TrackForm = {}) {
  const { samples = 1_000, delta = 1_024, extra = zeros(0), codec = 'mp4a', sizes = 'stsz' } = form;
  const entry = Buffer.concat([zeros(24), u32((44_100 << 16) >>> 0), form.config ?? zeros(0)]);
  const tables = box(
    'stbl',
    box('stsd', zeros(4), u32(1), box(codec, entry)),
    box('stts', zeros(4), u32(1), u32(samples), u32(delta)),
    box(sizes, zeros(8), u32(samples)),
  );
  const media = box(
    'mdia',
    box('mdhd', zeros(12), u32(44_100), u32(1)),
    box('hdlr', zeros(8), Buffer.from(kind)),
    box('minf', box('hdlr', zeros(8), Buffer.from('alis')), tables),
  );
  return box('trak', box('tkhd', zeros(12), u32(7)), media, extra);
}

export const mp4 = (...content: Buffer[]) => Buffer.concat([box('ftyp', Buffer.from('M4A ')), ...content]);

export const element = (id: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(id, 'hex'),
    Buffer.from([0x10 | (content.length >>> 24)]),
    u32(content.length).subarray(1),
    content,
  ]);

export function webm(codec: string, cluster: (at: number) => Buffer[], clusters: number) {
  const entry = element(
    'ae',
    Buffer.concat([
      element('d7', Buffer.from([1])),
      element('83', Buffer.from([2])),
      element('86', Buffer.from(codec)),
    ]),
  );
  const all = Array.from({ length: clusters }, (_, at) =>
    Buffer.concat([
      Buffer.from('1f43b67501ffffffffffffff', 'hex'),
      element('e7', u32(at * 1_000)),
      ...cluster(at),
    ]),
  );
  return Buffer.concat([
    element('1a45dfa3', Buffer.from([0x42, 0x86, 0x81, 0x01])),
    Buffer.from('1853806701ffffffffffffff', 'hex'), // of unknown size, as browsers record
    element('1654ae6b', entry),
    ...all,
  ]);
}
