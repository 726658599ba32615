import { lookUp } from '../../base/lib/records.ts';
import { boundOfBytes } from './bound-of-bytes.ts';
import { opusPacketSeconds } from './opus-packet-seconds.ts';
import { type SoundReader, TooManySteps } from './sound-reader.ts';

/** Ids of elements (RFC 9559). */
const ID = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  track: 0xae,
  group: 0xa0,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  time: 0xe7,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  simpleBlock: 0xa3,
  block: 0xa1,
  encodings: 0x6d80,
} as const;
/** Elements that are entered. Those of unknown size then simply continue. */
const CONTAINERS: ReadonlySet<number> = new Set([
  ID.segment,
  ID.cluster,
  ID.tracks,
  ID.track,
  ID.group,
  ID.info,
]);
// biome-ignore format: a line for each group
const READ_IDS: ReadonlySet<number> = new Set([
  ID.scale, ID.time, ID.number, ID.type, ID.codec, ID.simpleBlock, ID.block, ID.encodings,
]);
const MAX_CONTENT = 64;
/** The id and the size of an element, and what is read of its content. */
const MAX_READ = 12 + MAX_CONTENT;
const SOUND = 2;
const MAX_ELEMENTS = 2_000_000;
/** The sound in a frame of the codecs that have one frame in a block, or one for each part of a lace. */
const FRAME_SECONDS: Readonly<Record<string, number>> = { A_VORBIS: 0.02, A_AAC: 0.02 };

/** An element that is read, and the length of its content in the file. */
type ReadElement = { id: number; size: number };

/** The codec of a track that is described in several ways, or whose blocks are packed. */
const UNCLEAR = 'unclear';

/** The facts about a file up to the current element. */
type State = {
  /** The number, the type and the codec of the track that is described at the moment. */
  number: number;
  type: number;
  codec: string;
  /** The codecs of the sound tracks, by their numbers. */
  sounds: Map<number, string>;
  /** The nanoseconds of a tick. */
  scale: number;
  /** The start of the current cluster, and the latest start of a block, in ticks. */
  clusterTicks: number;
  lastTicks: number;
  opusSeconds: number;
  /** The sound in blocks of other codecs, at least. */
  otherSeconds: number;
};

/** Returns the length of the sound in a WebM or Matroska file. */
export async function webmSeconds(reader: SoundReader): Promise<number | undefined> {
  const state: State = {
    number: 0,
    type: 0,
    codec: '',
    sounds: new Map(),
    scale: 1_000_000,
    clusterTicks: 0,
    lastTicks: 0,
    opusSeconds: 0,
    otherSeconds: 0,
  };
  for (let at = 0; at < reader.size; ) {
    const window = await reader.windowFrom(at, MAX_READ);
    const { length, isLost } = readWindow(reader, state, { window, left: reader.size - at });
    at += length;
    if (isLost) at = await findCluster(reader, at);
  }
  return secondsOf(state);
}

/** `left`: the bytes of the file from the start of the window on. */
type WindowOfFile = { window: Buffer; left: number };

/**
 * Reads the elements that begin in a window, and returns how far the next one is from its start.
 * `isLost`: the bytes there are no element, or one that exceeds the file.
 */
function readWindow(
  reader: SoundReader,
  state: State,
  { window, left }: WindowOfFile,
): { length: number; isLost: boolean } {
  // An element near the end of a window is read again with the next one.
  const end = window.length >= left ? window.length : window.length - MAX_READ + 1;
  let length = 0;
  while (length < end) {
    if (++reader.steps > MAX_ELEMENTS) throw new TooManySteps();
    const toNext = readNext(state, window, length, left);
    if (toNext === undefined) return { length: length + 1, isLost: true };
    length += toNext;
  }
  return { length, isLost: false };
}

const CLUSTER = Buffer.from('1f43b675', 'hex');

/** Finds the next cluster from here on, as decoders do past damaged elements. */
async function findCluster(reader: SoundReader, from: number): Promise<number> {
  for (let at = from; at < reader.size; ) {
    const window = await reader.windowFrom(at, CLUSTER.length);
    const found = window.indexOf(CLUSTER);
    if (found >= 0) return at + found;
    at += Math.max(1, window.length - CLUSTER.length + 1);
  }
  return reader.size;
}

/**
 * Reads the element that begins here, and returns how far the next one is.
 * Returns undefined if there is none, or it exceeds the file.
 */
function readNext(state: State, window: Buffer, at: number, end: number): number | undefined {
  const id = vint(window, at, 'id');
  const size = id && vint(window, at + id.length, 'number');
  if (!id || !size) return undefined;
  const head = id.length + size.length;
  if (id.value === ID.track) Object.assign(state, { number: 0, type: 0, codec: '' });
  if (CONTAINERS.has(id.value)) return head;
  if (READ_IDS.has(id.value)) {
    const content = window.subarray(at + head, at + head + Math.min(size.value, MAX_CONTENT));
    readElement(state, { id: id.value, size: size.value }, content);
  }
  return at + head + size.value > end ? undefined : head + size.value;
}

function secondsOf(state: State): number | undefined {
  if (state.sounds.size === 0) return undefined;
  const timed = (state.lastTicks * state.scale) / 1e9;
  return Math.max(timed, state.opusSeconds + state.otherSeconds);
}

/** Returns the codec that two descriptions of a track agree on. An empty one says nothing. */
const bothOf = (evident: string, claimed: string): string =>
  evident === '' || claimed === '' || evident === claimed ? evident || claimed : UNCLEAR;

function readElement(state: State, { id, size }: ReadElement, bytes: Buffer): void {
  if (id === ID.scale) state.scale = uint(bytes) || state.scale;
  else if (id === ID.time) state.clusterTicks = uint(bytes);
  else if (id === ID.simpleBlock || id === ID.block) readBlock(state, bytes, size);
  else if (id === ID.number) state.number = uint(bytes);
  else if (id === ID.type) state.type = uint(bytes);
  else if (id === ID.codec) state.codec = bothOf(state.codec, bytes.toString('latin1'));
  else if (id === ID.encodings) state.codec = UNCLEAR;
  else return;
  if (state.type === SOUND && state.number > 0)
    state.sounds.set(state.number, bothOf(state.sounds.get(state.number) ?? '', state.codec));
}

function readBlock(state: State, bytes: Buffer, size: number): void {
  const track = vint(bytes, 0, 'number');
  const codec = track && state.sounds.get(track.value);
  if (!track || codec === undefined || bytes.length < track.length + 4) return;
  const at = track.length;
  const isLaced = (bytes[at + 2]! & 0x06) !== 0;
  const frames = isLaced ? (bytes[at + 3] ?? 0) + 1 : 1;
  state.lastTicks = Math.max(state.lastTicks, state.clusterTicks + bytes.readInt16BE(at));
  if (!codec.startsWith('A_OPUS')) {
    const frame = lookUp(FRAME_SECONDS, codec);
    state.otherSeconds += frame === undefined ? boundOfBytes(size) : frames * frame;
    return;
  }
  const first = isLaced ? Math.min(at + 4 + frames, bytes.length - 1) : at + 3;
  state.opusSeconds += frames * opusPacketSeconds(bytes[first]!, bytes[first + 1] ?? 0);
}

type Vint = { value: number; length: number };

/**
 * Reads a number of variable length. An id keeps the bits that say its length.
 * An unknown size is 0, since only containers may have it.
 */
function vint(bytes: Buffer, at: number, kind: 'id' | 'number'): Vint | undefined {
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

const uint = (bytes: Buffer): number => bytes.subarray(0, 8).reduce((sum, byte) => sum * 256 + byte, 0);
