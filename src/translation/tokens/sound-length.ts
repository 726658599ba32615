import { base64Bytes } from './base64-bytes.ts';

/** A sound in base64. `isWav`: the file is a wave file, whose header has its rate. */
type Sound = { data: string; isWav: boolean };

/** 8 kbit/s, the lowest rate of MP3. Compressed wave files are about as small. */
const MIN_BYTES_PER_SECOND = 1_000;
/** 8 bits a sample at 8,000 Hz, as in telephony. */
const MIN_WAV_BYTES_PER_SECOND = 8_000;
/**
 * 32 bits a sample, in stereo, at 48,000 Hz.
 * A higher declared rate is not speech, and would make the sound seem shorter.
 */
const MAX_WAV_BYTES_PER_SECOND = 384_000;

const WAV_HEADER_BYTES = 36;
const PCM: ReadonlySet<number> = new Set([1, 3, 0xfffe]);

/** Returns the longest possible duration, whatever the header says. */
export function boundSeconds({ data, isWav }: Sound): number {
  return base64Bytes(data.length) / ((isWav ? wavRate(data) : undefined) ?? MIN_BYTES_PER_SECOND);
}

/** Returns the bytes per second, if all fields of the header agree. */
export function wavRate(data: string): number | undefined {
  const header = Buffer.from(data.slice(0, 64), 'base64');
  if (header.length < WAV_HEADER_BYTES || !PCM.has(header.readUInt16LE(20))) return undefined;
  const channels = header.readUInt16LE(22);
  const samplesPerSecond = header.readUInt32LE(24);
  const bitsPerSample = header.readUInt16LE(34);
  const rate = (samplesPerSecond * channels * bitsPerSample) / 8;
  const isLikely = rate >= MIN_WAV_BYTES_PER_SECOND && rate <= MAX_WAV_BYTES_PER_SECOND;
  return isLikely && rate === header.readUInt32LE(28) ? rate : undefined;
}
