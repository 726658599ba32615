import type { SoundFrame } from './framed-seconds.ts';

/** kbit/s by the index in the header. Index 0 is a free bit rate, which no frame of a known length has. */
const RATES = {
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
const SAMPLE_RATES = [44_100, 48_000, 32_000];
/** The divisor of the sample rate by the version's two bits: 2.5, reserved, 2, 1. */
const DIVISORS = [4, 0, 2, 1];

/** The layer by its two bits. The first value is reserved. */
const LAYERS = [undefined, 3, 2, 1] as const;

/** Reads a frame of MPEG-1, 2 or 2.5 audio (ISO 11172-3). */
export function mp3Frame(bytes: Buffer, at: number): SoundFrame | undefined {
  if (bytes[at] !== 0xff || at + 4 > bytes.length || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined;
  const divisor = DIVISORS[(bytes[at + 1]! >> 3) & 3]!;
  const layer = LAYERS[(bytes[at + 1]! >> 1) & 3];
  const third = bytes[at + 2]!;
  const base = SAMPLE_RATES[(third >> 2) & 3];
  if (divisor === 0 || layer === undefined || base === undefined) return undefined;
  const version = divisor === 1 ? 'version1' : 'version2';
  const kilobits = RATES[version][layer][(third >> 4) - 1];
  if (kilobits === undefined) return undefined;
  const sampleRate = base / divisor;
  const samples = SAMPLES[version][layer];
  const padding = (third >> 1) & 1;
  const unit = layer === 1 ? 4 : 1;
  const byteLength = (Math.floor((samples * kilobits * 125) / sampleRate / unit) + padding) * unit;
  return { byteLength, seconds: samples / sampleRate };
}
