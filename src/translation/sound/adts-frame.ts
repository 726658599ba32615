import type { SoundFrame } from './framed-seconds.ts';

/** The sample rates of AAC by the index in a header (ISO 14496-3). */
export const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];
const SAMPLES = 1_024;
const MIN_BYTES = 7;

/** Reads a frame of AAC with its own header (ADTS, ISO 13818-7). */
export function adtsFrame(bytes: Buffer, at: number): SoundFrame | undefined {
  if (bytes[at] !== 0xff || at + MIN_BYTES > bytes.length || (bytes[at + 1]! & 0xf6) !== 0xf0)
    return undefined;
  const rate = AAC_RATES[(bytes[at + 2]! >> 2) & 15];
  const byteLength = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5);
  if (rate === undefined || byteLength < MIN_BYTES) return undefined;
  return { byteLength, seconds: (((bytes[at + 6]! & 3) + 1) * SAMPLES) / rate };
}
