import type { SoundReader } from './sound-reader.ts';
import { elementHead, MAX_HEAD, WEBM_IDS, webmContainers } from './webm-elements.ts';
import { WebmTracks } from './webm-tracks.ts';

/** The most bytes that are read of an element's content. */
const MAX_CONTENT = 64;
const MAX_READ = MAX_HEAD + MAX_CONTENT;
const MAX_ELEMENTS = 2_000_000;

/** Returns the length of the sound in a WebM or Matroska file. */
export async function webmSeconds(reader: SoundReader): Promise<number | undefined> {
  const tracks = new WebmTracks();
  for (let at = 0; at < reader.size; ) {
    const bytes = await reader.windowFrom(at, MAX_READ);
    const { length, isLost } = readWindow(reader, tracks, { bytes, left: reader.size - at });
    at += length;
    if (isLost) at = await findCluster(reader, at);
  }
  return tracks.seconds;
}

/** A part of the file. `left`: the bytes of the file from its start on. */
type FileWindow = { bytes: Buffer; left: number };

/**
 * Reads the elements that begin in a window, and returns how far the next one is from its start.
 * `isLost`: the bytes there are no element, or one that exceeds the file.
 */
function readWindow(
  reader: SoundReader,
  tracks: WebmTracks,
  window: FileWindow,
): { length: number; isLost: boolean } {
  // An element near the end of a window is read again with the next one.
  const { bytes, left } = window;
  const end = bytes.length >= left ? bytes.length : bytes.length - MAX_READ + 1;
  let length = 0;
  while (length < end) {
    reader.countStep(MAX_ELEMENTS);
    const toNext = readElement(tracks, window, length);
    if (toNext === undefined) return { length: length + 1, isLost: true };
    length += toNext;
  }
  return { length, isLost: false };
}

const CLUSTER = Buffer.alloc(4);
CLUSTER.writeUInt32BE(WEBM_IDS.cluster);

/** Finds the next cluster from here on, as decoders do past damaged elements. */
async function findCluster(reader: SoundReader, from: number): Promise<number> {
  for (let at = from; at < reader.size; ) {
    const window = await reader.windowFrom(at, CLUSTER.length);
    const place = window.indexOf(CLUSTER);
    if (place >= 0) return at + place;
    at += Math.max(1, window.length - CLUSTER.length + 1);
  }
  return reader.size;
}

/**
 * Reads the element that begins here, and returns how far the next one is.
 * Returns undefined if no element begins here, or it exceeds the file.
 */
function readElement(tracks: WebmTracks, { bytes, left }: FileWindow, at: number): number | undefined {
  const head = elementHead(bytes, at);
  if (!head) return undefined;
  const { id, size, headLength } = head;
  if (id === WEBM_IDS.track) tracks.beginTrack();
  if (webmContainers.has(id)) return headLength;
  if (tracks.reads(id)) {
    const from = at + headLength;
    tracks.read(head, bytes.subarray(from, from + Math.min(size, MAX_CONTENT)));
  }
  return at + headLength + size > left ? undefined : headLength + size;
}
