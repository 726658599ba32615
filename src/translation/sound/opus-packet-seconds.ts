const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];
/** The frames of a packet, by the codes that need no second byte. */
const FRAMES = [1, 2, 2];

/** Returns the length of an Opus packet by its first bytes (RFC 6716 3.1). */
export function opusPacketSeconds(first: number, second: number): number {
  const frames = FRAMES[first & 3] ?? second & 0x3f;
  return (frames * frameMsOf(first >> 3)) / 1_000;
}

function frameMsOf(config: number): number {
  if (config < 12) return SILK_MS[config & 3]!;
  return config < 16 ? HYBRID_MS[config & 1]! : CELT_MS[config & 3]!;
}
