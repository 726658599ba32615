import { opusPacketSeconds } from './opus-packet-seconds.ts';
import { type SoundReader, TooManySteps } from './sound-reader.ts';

const HEAD_BYTES = 27;
const MAX_TABLE_BYTES = 255;
const MAX_PACKETS = 4_000_000;
/** A radio recording has a stream for each song. */
const MAX_STREAMS = 256;
/** Pages that begin within others. In sound they occur once in 4 GB. */
const MAX_WITHIN = 64;
/** If a file claims less than this share of what its packets can hold, the packets decide its length. */
const MIN_SHARE = 0.5;
const SIGN = Buffer.from('OggS');

/** The facts about one stream of the file. */
type Totals = {
  kind: 'opus' | 'vorbis' | 'other';
  packets: number;
  opusSeconds: number;
  /** The samples of the longest block. */
  block: number;
  /** The samples of a second. */
  rate: number;
  /** The number of samples that the last page claims. */
  granule: number;
};

const LETTER_O = 0x4f;

const OPUS = Buffer.from('Opus');

/**
 * Returns the length of an Ogg file with Opus or Vorbis (RFC 3533): the sum of its streams. Each place that
 * looks like a page counts as one, since decoders look for the next page past damaged ones.
 */
export async function oggSeconds(reader: SoundReader): Promise<number | undefined> {
  const streams = new Map<number, Totals>();
  let pagesWithin = 0;
  for (let at: number | undefined = 0; at !== undefined; ) {
    const page = await pageAt(reader, at);
    const { length } = page;
    if (length >= HEAD_BYTES) addPage(reader, page, streamOf(page, streams));
    const within = page.indexOf(SIGN, SIGN.length);
    if (within >= 0 && ++pagesWithin > MAX_WITHIN) throw new TooManySteps();
    at = within < 0 ? await findPage(reader, at + Math.max(length, SIGN.length)) : at + within;
  }
  let sum = 0;
  for (const totals of streams.values()) sum += secondsOf(totals) ?? Number.NaN;
  return sum;
}

/** Reads the page that begins here. */
async function pageAt(reader: SoundReader, at: number): Promise<Buffer> {
  const head = await reader.bytes(at, HEAD_BYTES + MAX_TABLE_BYTES);
  if (head.length < HEAD_BYTES) return head;
  const data = HEAD_BYTES + head[26]!;
  const content = head.subarray(HEAD_BYTES, data).reduce((sum, size) => sum + size, 0);
  return reader.bytes(at, data + content);
}

/** Finds the next page from here on. Nearly always it begins here. */
async function findPage(reader: SoundReader, from: number): Promise<number | undefined> {
  let at = from;
  while (at + SIGN.length <= reader.size) {
    const window = await reader.windowFrom(at, SIGN.length);
    const found = window.indexOf(SIGN);
    if (found >= 0) return at + found;
    at += Math.max(1, window.length - SIGN.length + 1);
  }
  return undefined;
}

function streamOf(page: Buffer, streams: Map<number, Totals>): Totals {
  const serial = page.readUInt32LE(14);
  const stream = streams.get(serial);
  if (stream) return stream;
  if (streams.size === MAX_STREAMS) throw new TooManySteps();
  const totals: Totals = { kind: 'other', packets: 0, opusSeconds: 0, block: 0, rate: 0, granule: 0 };
  const data = Math.min(page.length, HEAD_BYTES + page[26]!);
  identify(page.subarray(data, data + 30), totals);
  streams.set(serial, totals);
  return totals;
}

function identify(start: Buffer, totals: Totals): void {
  if (start.toString('latin1', 0, 8) === 'OpusHead') totals.kind = 'opus';
  if (start.toString('latin1', 0, 7) !== '\x01vorbis' || start.length < 29) return;
  totals.kind = 'vorbis';
  totals.rate = start.readUInt32LE(12);
  totals.block = 2 ** (start[28]! >> 4);
}

/** Adds the packets that begin on a page. */
function addPage(reader: SoundReader, page: Buffer, totals: Totals): void {
  reader.countStep(MAX_PACKETS);
  const granule = Number(page.readBigInt64LE(6));
  if (granule > totals.granule) totals.granule = granule;
  let starts = (page[5]! & 1) === 0; // otherwise the page continues a packet
  const data = Math.min(page.length, HEAD_BYTES + page[26]!);
  let at = data;
  for (let segment = HEAD_BYTES; segment < data; segment++) {
    const size = page[segment]!;
    if (starts) {
      reader.countStep(MAX_PACKETS);
      totals.packets++;
      if (totals.kind === 'opus' && size > 0) addPacket(page, at, totals);
    }
    starts = size < 255;
    at += size;
  }
}

/** The head and the tags of the stream are packets too. */
function addPacket(page: Buffer, at: number, totals: Totals): void {
  const first = page[at];
  if (first === undefined) return; // the file is cut off
  if (first === LETTER_O && page.subarray(at, at + 4).equals(OPUS)) {
    const name = page.toString('latin1', at + 4, at + 8);
    if (name === 'Head' || name === 'Tags') return;
  }
  totals.opusSeconds += opusPacketSeconds(first, page[at + 1] ?? 0);
}

function secondsOf({ kind, packets, opusSeconds, block, rate, granule }: Totals): number | undefined {
  if (kind === 'opus') return opusSeconds;
  if (kind !== 'vorbis' || rate === 0) return undefined;
  const longest = (packets * block) / 2 / rate;
  const claimed = granule / rate;
  return claimed >= longest * MIN_SHARE ? claimed : longest;
}
