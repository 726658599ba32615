export type Sound = { data: string; isWav: boolean };

/** 8 kbit/s, the least that MP3 has; compressed wave files are about as small. */
const LEAST_BYTES_PER_SECOND = 1_000;
/** Eight bits a sample, 8,000 times a second: what telephones send. */
const LEAST_WAV_BYTES_PER_SECOND = 8_000;
/** 32 bits a sample, in stereo, 48,000 times a second. More is no speech, but a wish to look short. */
const MOST_WAV_BYTES_PER_SECOND = 384_000;

const WAV_HEADER_BYTES = 36;
const PCM: ReadonlySet<number> = new Set([1, 3, 0xfffe]);

/** The longest that a sound can be, whatever its header says. */
export function boundSeconds({ data, isWav }: Sound): number {
  return (data.length * 0.75) / ((isWav ? wavRate(data) : undefined) ?? LEAST_BYTES_PER_SECOND);
}

/** Bytes per second, where all that the header says agrees. */
export function wavRate(data: string): number | undefined {
  const header = Buffer.from(data.slice(0, 64), 'base64');
  if (header.length < WAV_HEADER_BYTES || !PCM.has(header.readUInt16LE(20))) return undefined;
  const channels = header.readUInt16LE(22);
  const samplesPerSecond = header.readUInt32LE(24);
  const bitsPerSample = header.readUInt16LE(34);
  const rate = (samplesPerSecond * channels * bitsPerSample) / 8;
  const isLikely = rate >= LEAST_WAV_BYTES_PER_SECOND && rate <= MOST_WAV_BYTES_PER_SECOND;
  return isLikely && rate === header.readUInt32LE(28) ? rate : undefined;
}
