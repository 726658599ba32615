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

/** An element, and the length of its content in the file. */
type Element = { id: number; size: number };

/** The codec of a track that is described in several ways, or whose blocks are packed. */
const UNCLEAR = 'unclear';

type State = {
  /** The track that is described at the moment. */
  number: number;
  type: number;
  codec: string;
  sounds: Map<number, string>;
  scale: number;
  time: number;
  last: number;
  opus: number;
  /** The sound in blocks of other codecs, at least. */
  other: number;
};

/** Returns the length of the sound in a WebM or Matroska file. */
export async function webmSeconds(reader: SoundReader): Promise<number | undefined> {
  const state: State = {
    number: 0,
    type: 0,
    codec: '',
    sounds: new Map(),
    scale: 1_000_000,
    time: 0,
    last: 0,
    opus: 0,
    other: 0,
  };
  let isLost = false;
  for (let at = 0; at < reader.size; ) {
    const window = await reader.windowFrom(at, MAX_READ);
    // An element near the end of a window is read again with the next one.
    const end = window.length >= reader.size - at ? window.length : window.length - MAX_READ + 1;
    let next = 0;
    while (next < end) {
      if (++reader.steps > MAX_ELEMENTS) throw new TooManySteps();
      const length = readNext(state, window, next, reader.size - at);
      next += length ?? 1;
      isLost = length === undefined;
      if (isLost) break;
    }
    at += next;
    if (isLost) at = await findCluster(reader, at);
    isLost = false;
  }
  return secondsOf(state);
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
  const timed = (state.last * state.scale) / 1e9;
  return Math.max(timed, state.opus + state.other);
}

const bothOf = (evident: string, claimed: string): string =>
  evident === '' || claimed === '' || evident === claimed ? evident || claimed : UNCLEAR;

function readElement(state: State, { id, size }: Element, bytes: Buffer): void {
  if (id === ID.scale) state.scale = uint(bytes) || state.scale;
  else if (id === ID.time) state.time = uint(bytes);
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
  state.last = Math.max(state.last, state.time + bytes.readInt16BE(at));
  if (!codec.startsWith('A_OPUS')) {
    const frame = lookUp(FRAME_SECONDS, codec);
    state.other += frame === undefined ? boundOfBytes(size) : frames * frame;
    return;
  }
  const first = isLaced ? Math.min(at + 4 + frames, bytes.length - 1) : at + 3;
  state.opus += frames * opusPacketSeconds(bytes[first]!, bytes[first + 1] ?? 0);
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
