/**
 * A segment file is a sequence of Zstandard frames, so `zstd -dc FILE` prints its entries as JSON lines. The
 * entries are ordered by account and number, and every frame has 256 of them. Two skippable frames follow.
 * The first has the index of ids. The second has the directory of the frames and ends with `Trailer`.
 */
export const ROWS_PER_BLOCK = 256;

/** A frame of entries. Its accounts are in order, so an account's frames are found without reading them. */
export type SegmentBlock = { offset: number; length: number; firstAccount: string; lastAccount: string };

export type SegmentDirectory = {
  version: 1;
  entries: number;
  blocks: SegmentBlock[];
  /**
   * The first and the last id of each length.
   * Ids of requests begin with the time, so most segments cannot have a given one.
   */
  ids: Record<number, [first: string, last: string]>;
  /**
   * The offset of the index, and for each first byte of a key the position of its first key;
   * the end is the last position.
   */
  index: { offset: number; starts: number[] };
};

const SKIPPABLE = 0x184d2a50;
const FRAME_HEADER_BYTES = 8;
const MARK = 'TGLEDGR1';
export const TRAILER_BYTES = 4 + MARK.length;

export function skippableFrame(content: Buffer): Buffer {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  header.writeUInt32LE(SKIPPABLE, 0);
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content]);
}

/** Returns the position of a skippable frame's content. */
export const contentOf = (offset: number): number => offset + FRAME_HEADER_BYTES;

export function formatDirectory(directory: SegmentDirectory): Buffer {
  const text = Buffer.from(JSON.stringify(directory));
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(text.length, 0);
  trailer.write(MARK, 4, 'latin1');
  return Buffer.concat([text, trailer]);
}

/**
 * Returns the length of the directory before the trailer.
 * Returns undefined if the file does not end as a segment does.
 */
export const directoryLength = (trailer: Buffer): number | undefined =>
  trailer.toString('latin1', 4) === MARK ? trailer.readUInt32LE(0) : undefined;
