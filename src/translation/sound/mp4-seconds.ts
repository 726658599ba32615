import { lookUp } from '../../base/lib/records.ts';
import { aacOf } from './aac-of.ts';
import { type SoundReader, TooManySteps } from './sound-reader.ts';

/** A part of the file, from its first byte up to the byte after it. */
type Span = { from: number; end: number };
type Box = Span & { type: string };
type Track = {
  id: number;
  isSound: boolean;
  /** The ticks of a second, and those that the table of times claims. */
  scale: number;
  ticks: number;
  samples: number;
  /** The samples of a second, at most. */
  rate: number;
  codec: string;
};

/**
 * The sound in one sample of each codec, in parts of the sample rate. A file could claim less for it. A
 * sample of other codecs can hold any number of frames.
 */
const SAMPLES_OF: Readonly<Record<string, number>> = {
  mp4a: 1_024,
  alac: 4_096,
  fLaC: 4_096,
  Opus: 960,
};
const MAX_BOXES = 200_000;
const MAX_TABLE_BYTES = 1024 * 1024;
const MAX_TRACKS = 1_000;
/** Sound tracks need three levels. */
const MAX_DEPTH = 4;

/** The codec of a track whose samples are of another kind, or that is described in several ways. */
const UNCLEAR = 'unclear';

const CONTAINERS: ReadonlySet<string> = new Set(['mdia', 'minf', 'stbl']);

// biome-ignore format: a line for each group
const TABLES: ReadonlySet<string> = new Set([
  'tkhd', 'hdlr', 'mdhd', 'stsd', 'stts', 'stsz', 'stz2',
  'tfhd', 'trun',
]);

/** Returns the length of the longest sound track of an MP4 file (ISO 14496-12), whole or in fragments. */
export async function mp4Seconds(reader: SoundReader): Promise<number | undefined> {
  const tracks: Track[] = [];
  let fragmentSamples = 0;
  for await (const box of boxes(reader, { from: 0, end: reader.size })) {
    if (box.type === 'moov') tracks.push(...(await readMovie(reader, box)));
    if (tracks.length > MAX_TRACKS) throw new TooManySteps();
    if (box.type === 'moof') fragmentSamples += await readFragment(reader, box, tracks);
  }
  const sounds = tracks.filter(({ isSound }) => isSound);
  if (sounds.length === 0 && fragmentSamples === 0) return undefined;
  const lengths = sounds.map(secondsOf).filter((length) => length !== undefined);
  return lengths.length === sounds.length ? Math.max(0, ...lengths) : undefined;
}

function secondsOf({ scale, ticks, samples, rate, codec }: Track): number | undefined {
  const claimed = scale > 0 ? ticks / scale : 0;
  const perSample = lookUp(SAMPLES_OF, codec);
  if (perSample === undefined) return undefined;
  const samplesPerSecond = (Number.isFinite(rate) && rate) || 48_000;
  return Math.max(claimed, (samples * perSample) / samplesPerSecond);
}

/** Lists the boxes in a part of the file. A box that cannot be read ends the list. */
async function* boxes(reader: SoundReader, { from, end }: Span): AsyncGenerator<Box> {
  let at = from;
  while (at + 8 <= end) {
    reader.countStep(MAX_BOXES);
    const head = await reader.bytes(at, 16);
    if (head.length < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const ordinary = short === 0 ? end - at : short;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : ordinary;
    if (size < 8) return;
    yield {
      type: head.toString('latin1', 4, 8),
      from: at + (isLong ? 16 : 8),
      end: Math.min(end, at + size),
    };
    at += size;
  }
}

/**
 * Calls a function with the content of every box of these types, at any depth below the containers of a
 * movie.
 */
async function eachBox(
  reader: SoundReader,
  within: Span,
  use: (type: string, bytes: Buffer) => void,
  depth = 0,
): Promise<void> {
  for await (const box of boxes(reader, within)) {
    if (CONTAINERS.has(box.type) && depth < MAX_DEPTH) await eachBox(reader, box, use, depth + 1);
    else if (TABLES.has(box.type))
      use(box.type, Buffer.from(await reader.bytes(box.from, Math.min(box.end - box.from, MAX_TABLE_BYTES))));
  }
}

/** Reads the tracks of a movie. */
async function readMovie(reader: SoundReader, movie: Box): Promise<Track[]> {
  const tracks: Track[] = [];
  for await (const box of boxes(reader, movie)) {
    if (box.type !== 'trak') continue;
    const track: Track = {
      id: 0,
      isSound: false,
      scale: 0,
      ticks: 0,
      samples: 0,
      rate: Number.POSITIVE_INFINITY,
      codec: '',
    };
    await eachBox(reader, box, (type, bytes) => {
      if (type === 'tkhd') track.id = uint(bytes, bytes[0] === 1 ? 20 : 12);
      else lookUp(READ, type)?.(track, bytes);
    });
    tracks.push(track);
  }
  return tracks;
}

/** Reads the number of samples, which is in the same place in both forms of the table of sizes. */
function addSamples(track: Track, bytes: Buffer): void {
  track.samples += uint(bytes, 8);
}

/** The readers of the boxes that describe a track. */
const READ: Readonly<Record<string, (track: Track, bytes: Buffer) => void>> = {
  hdlr(track, bytes) {
    track.isSound ||= bytes.toString('latin1', 8, 12) === 'soun';
  },
  mdhd(track, bytes) {
    track.scale = uint(bytes, bytes[0] === 1 ? 20 : 12);
  },
  stsd(track, bytes) {
    const { rate, isAac } = aacOf(bytes);
    const codec = isAac ? bytes.toString('latin1', 12, 16) : UNCLEAR;
    // A track can have several tables, and decoders differ in which one they take.
    track.codec = track.codec === '' || track.codec === codec ? codec : UNCLEAR;
    track.rate = Math.min(track.rate, uint(bytes, 40) >>> 16 || Number.POSITIVE_INFINITY, rate);
  },
  stts(track, bytes) {
    const entries = Math.min(uint(bytes, 4), Math.floor((bytes.length - 8) / 8));
    for (let entry = 0; entry < entries; entry++)
      track.ticks += uint(bytes, 8 + entry * 8) * uint(bytes, 12 + entry * 8);
  },
  stsz: addSamples,
  stz2: addSamples,
};

/** Adds the samples of a fragment to its tracks, and returns their number. */
async function readFragment(reader: SoundReader, fragment: Box, tracks: Track[]): Promise<number> {
  let added = 0;
  for await (const box of boxes(reader, fragment)) {
    if (box.type !== 'traf') continue;
    let tracksOfFragment: Track[] = [];
    await eachBox(reader, box, (type, bytes) => {
      if (type === 'tfhd') tracksOfFragment = tracks.filter(({ id }) => id === uint(bytes, 4));
      if (type !== 'trun') return;
      for (const track of tracksOfFragment) track.samples += uint(bytes, 4);
      if (tracksOfFragment.length > 0) added += uint(bytes, 4);
    });
  }
  return added;
}

const uint = (bytes: Buffer, at: number): number => (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);
