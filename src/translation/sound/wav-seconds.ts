import type { SoundReader } from './sound-reader.ts';

/**
 * The bits of a sample in PCM, float, A-law and µ-law.
 * Decoders ignore other claims, which would make the sound seem shorter.
 */
const BITS_OF: Readonly<Record<number, readonly number[]>> = {
  1: [8, 16, 24, 32],
  3: [32, 64],
  6: [8],
  7: [8],
};
/** The form that names one of these formats after its own fields. */
const EXTENDED = 0xfffe;
/** 192 kHz with 32 bits in stereo. A higher declared rate would only make the sound seem shorter. */
const MAX_BYTES_PER_SECOND = 1_536_000;
const FORMAT_BYTES = 16;
const EXTENDED_BYTES = 26;
const MAX_CHUNKS = 1_000;

/**
 * Returns the length of a wave file: all bytes after the beginning of the samples, whatever length the file
 * claims for them.
 */
export async function wavSeconds(reader: SoundReader): Promise<number | undefined> {
  const rates: (number | undefined)[] = [];
  let at = 12;
  for (let chunks = 0; chunks < MAX_CHUNKS; chunks++) {
    const head = await reader.bytes(at, 8);
    if (head.length < 8) return undefined;
    const name = head.toString('latin1', 0, 4);
    if (name === 'data') return (reader.size - at - 8) / lowestOf(rates);
    const size = head.readUInt32LE(4);
    if (name === 'fmt ') rates.push(rateOf(await reader.bytes(at + 8, Math.min(size, EXTENDED_BYTES))));
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** Decoders differ in which of several formats they take. NaN: a format is unknown, or there is none. */
const lowestOf = (rates: readonly (number | undefined)[]): number =>
  rates.length === 0 ? Number.NaN : Math.min(...rates.map((rate) => rate ?? Number.NaN));

function rateOf(format: Buffer): number | undefined {
  if (format.length < FORMAT_BYTES) return undefined;
  const bits = format.readUInt16LE(14);
  if (!BITS_OF[tagOf(format)]?.includes(bits)) return undefined;
  const sampleBytes = (format.readUInt16LE(2) * bits) / 8;
  const rate = format.readUInt32LE(4) * sampleBytes;
  const agrees = rate > 0 && rate === format.readUInt32LE(8) && sampleBytes === format.readUInt16LE(12);
  return agrees ? Math.min(rate, MAX_BYTES_PER_SECOND) : undefined;
}

function tagOf(format: Buffer): number {
  const tag = format.readUInt16LE(0);
  return tag === EXTENDED && format.length === EXTENDED_BYTES ? format.readUInt16LE(24) : tag;
}
