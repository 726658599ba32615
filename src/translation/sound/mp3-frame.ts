import type { SoundFrame } from './framed-seconds.ts';

/**
 * kbit/s by the index in the header, from index 1. Index 0 is a free bit rate and 15 is reserved, so neither
 * gives a length.
 */
const BIT_RATES = {
  version1: {
    1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  version2: {
    1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const;
/** The samples of a frame by version and layer. */
const SAMPLES = {
  version1: { 1: 384, 2: 1_152, 3: 1_152 },
  version2: { 1: 384, 2: 1_152, 3: 576 },
} as const;
/** The sample rates of version 1 by their two bits. The other versions divide them. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** The divisor of the sample rate by the version's two bits: 2.5, reserved, 2, 1. */
const DIVISORS = [4, 0, 2, 1];

/** The layer by its two bits. The first value is reserved. */
const LAYERS = [undefined, 3, 2, 1] as const;

const BITS_PER_BYTE = 8;
const BITS_PER_KILOBIT = 1_000;
/** The length of a frame of the first layer is a multiple of this. */
const SLOT_OF_LAYER_1 = 4;

/** Reads a frame of MPEG-1, 2 or 2.5 audio (ISO 11172-3). */
export function mp3Frame(bytes: Buffer, at: number): SoundFrame | undefined {
  if (bytes[at] !== 0xff || at + 4 > bytes.length || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined;
  const secondByte = bytes[at + 1]!;
  const thirdByte = bytes[at + 2]!;
  const divisor = DIVISORS[(secondByte >> 3) & 3]!;
  const layer = LAYERS[(secondByte >> 1) & 3];
  const base = SAMPLE_RATES[(thirdByte >> 2) & 3];
  if (divisor === 0 || layer === undefined || base === undefined) return undefined;
  const version = divisor === 1 ? 'version1' : 'version2';
  const kilobits = BIT_RATES[version][layer][(thirdByte >> 4) - 1];
  if (kilobits === undefined) return undefined;
  const sampleRate = base / divisor;
  const samples = SAMPLES[version][layer];
  const padding = (thirdByte >> 1) & 1;
  const slot = layer === 1 ? SLOT_OF_LAYER_1 : 1;
  const soundBytes = (samples * kilobits * (BITS_PER_KILOBIT / BITS_PER_BYTE)) / sampleRate;
  const byteLength = (Math.floor(soundBytes / slot) + padding) * slot;
  return { byteLength, seconds: samples / sampleRate };
}
