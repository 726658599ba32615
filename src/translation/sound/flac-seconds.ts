import type { SoundReader } from './sound-reader.ts';

const MAX_HEADER_BYTES = 16;
const MAX_METADATA_BLOCKS = 1_000;
const RATES = [0, 88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
/** The bytes of the header that hold the size and the rate, by their codes. Other codes need no bytes. */
const SIZE_BYTES: Readonly<Record<number, number>> = { 6: 1, 7: 2 };
const RATE_BYTES: Readonly<Record<number, number>> = { 12: 1, 13: 2, 14: 2 };

/**
 * Adds up the frames of a FLAC file (RFC 9639).
 * Each frame header has a checksum of its own, by which it is found.
 */
export async function flacSeconds(reader: SoundReader): Promise<number | undefined> {
  const info = await reader.bytes(4, 4 + 18);
  if (info.length < 22 || (info[0]! & 0x7f) !== 0) return undefined;
  const rate = (info[14]! << 12) | (info[15]! << 4) | (info[16]! >> 4);
  let at = await endOfMetadata(reader);
  let seconds = 0;
  while (at < reader.size) {
    const bytes = await reader.windowFrom(at, MAX_HEADER_BYTES);
    const isLast = bytes.length >= reader.size - at;
    const end = isLast ? bytes.length : bytes.length - MAX_HEADER_BYTES;
    for (let from = 0; from < end; from++)
      if (bytes[from] === 0xff && (bytes[from + 1]! & 0xfe) === 0xf8)
        seconds += frameSeconds(bytes, from, rate);
    at += Math.max(end, 1);
  }
  return seconds > 0 ? seconds : undefined;
}

async function endOfMetadata(reader: SoundReader): Promise<number> {
  for (let at = 4; ; ) {
    const head = await reader.bytes(at, 4);
    if (head.length < 4) return reader.size;
    reader.countStep(MAX_METADATA_BLOCKS);
    at += 4 + head.readUIntBE(1, 3);
    if ((head[0]! & 0x80) !== 0) return at;
  }
}

/**
 * Returns the length of the frame whose header begins here with the bits of synchronization, or 0 if no
 * frame begins here.
 */
function frameSeconds(bytes: Buffer, at: number, fileRate: number): number {
  if (at + 6 > bytes.length) return 0;
  const sizeCode = bytes[at + 2]! >> 4;
  const rateCode = bytes[at + 2]! & 15;
  const numberBytes = Math.max(1, Math.clz32(~(bytes[at + 4]! << 24)));
  let next = at + 4 + numberBytes;
  const samples = samplesOf(sizeCode, bytes, next);
  next += SIZE_BYTES[sizeCode] ?? 0;
  const rate = RATES[rateCode] ?? declaredRate(rateCode, bytes, next);
  next += RATE_BYTES[rateCode] ?? 0;
  if (samples === 0 || next >= bytes.length || crc8(bytes, at, next) !== bytes[next]) return 0;
  return samples / (rate || fileRate || 1);
}

function samplesOf(code: number, bytes: Buffer, at: number): number {
  if (code === 0) return 0;
  if (code === 1) return 192;
  if (code < 6) return 576 << (code - 2);
  if (code === 6) return (bytes[at] ?? 0) + 1;
  if (code === 7) return at + 2 <= bytes.length ? bytes.readUInt16BE(at) + 1 : 0;
  return 256 << (code - 8);
}

function declaredRate(code: number, bytes: Buffer, at: number): number {
  if (code === 12) return (bytes[at] ?? 0) * 1_000;
  if (code > 14 || at + 2 > bytes.length) return 0;
  return bytes.readUInt16BE(at) * (code === 14 ? 10 : 1);
}

/** The checksum of each byte. A file can hold a header at every other byte. */
const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x80) === 0 ? 0 : 0x07)) & 0xff;
  return crc;
});

function crc8(bytes: Buffer, from: number, end: number): number {
  let crc = 0;
  for (let at = from; at < end; at++) crc = CRC8[crc ^ bytes[at]!]!;
  return crc;
}
