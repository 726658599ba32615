const SILK_MS = [10, 20, 40, 60];
const CELT_MS = [2.5, 5, 10, 20];

/** Returns the length of an Opus packet by its first bytes (RFC 6716 3.1). */
export function opusPacketSeconds(first: number, second: number): number {
  const config = first >> 3;
  const frameMs =
    config < 12 ? SILK_MS[config & 3]! : config < 16 ? [10, 20][config & 1]! : CELT_MS[config & 3]!;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : second & 0x3f;
  return (frames * frameMs) / 1_000;
}
