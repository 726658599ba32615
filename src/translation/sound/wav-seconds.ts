import type { SoundReader } from './sound-reader.ts';

/** PCM, float, A-law, µ-law, and the extended form of these. */
const SAMPLED: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);
/** 192 kHz with 32 bits in stereo. A higher declared rate would only make the sound seem shorter. */
const MOST_BYTES_PER_SECOND = 1_536_000;
const FORMAT_BYTES = 16;
const MOST_CHUNKS = 1_000;

/** Returns the length of a wave file: all bytes after the beginning of the samples, whatever length the file claims for them. */
export async function wavSeconds(reader: SoundReader): Promise<number | undefined> {
  let rate: number | undefined;
  let at = 12;
  for (let chunks = 0; chunks < MOST_CHUNKS; chunks++) {
    const head = await reader.bytes(at, 8);
    if (head.length < 8) return undefined;
    const name = head.toString('latin1', 0, 4);
    if (name === 'data') return rate === undefined ? undefined : (reader.size - at - 8) / rate;
    if (name === 'fmt ') rate = rateOf(await reader.bytes(at + 8, FORMAT_BYTES));
    const size = head.readUInt32LE(4);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function rateOf(format: Buffer): number | undefined {
  if (format.length < FORMAT_BYTES || !SAMPLED.has(format.readUInt16LE(0))) return undefined;
  const sampleBytes = (format.readUInt16LE(2) * format.readUInt16LE(14)) / 8;
  const rate = format.readUInt32LE(4) * sampleBytes;
  const agrees = rate > 0 && rate === format.readUInt32LE(8) && sampleBytes === format.readUInt16LE(12);
  return agrees ? Math.min(rate, MOST_BYTES_PER_SECOND) : undefined;
}
