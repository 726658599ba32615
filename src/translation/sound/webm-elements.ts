/** The ids of elements of WebM and Matroska (RFC 9559). */
export const WEBM_IDS = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  track: 0xae,
  blockGroup: 0xa0,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  timestamp: 0xe7,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  simpleBlock: 0xa3,
  block: 0xa1,
  encodings: 0x6d80,
} as const;

/** Elements that are entered. Those of unknown size then simply continue. */
export const webmContainers: ReadonlySet<number> = new Set([
  WEBM_IDS.segment,
  WEBM_IDS.cluster,
  WEBM_IDS.tracks,
  WEBM_IDS.track,
  WEBM_IDS.blockGroup,
  WEBM_IDS.info,
]);

/** The most bytes of an id and a size together. */
export const MAX_HEAD = 12;

/** The start of an element: its id, the length of its content, and the length of both numbers. */
export type ElementHead = { id: number; size: number; headLength: number };

/** Reads the start of an element. Returns undefined if none begins here. */
export function elementHead(bytes: Buffer, at: number): ElementHead | undefined {
  const id = readVint(bytes, at, 'id');
  const size = id && readVint(bytes, at + id.length, 'number');
  return id && size && { id: id.value, size: size.value, headLength: id.length + size.length };
}

type Vint = { value: number; length: number };

/**
 * Reads a number of variable length. An id keeps the bits that say its length.
 * An unknown size is 0, since only containers may have it.
 */
export function readVint(bytes: Buffer, at: number, kind: 'id' | 'number'): Vint | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = kind === 'id' ? first : first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let next = 1; next < length; next++) {
    value = value * 256 + bytes[at + next]!;
    isUnknown &&= bytes[at + next] === 0xff;
  }
  return { value: kind === 'number' && isUnknown ? 0 : value, length };
}
