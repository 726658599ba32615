import { opusPacketSeconds } from './opus-packet.ts';
import { type SoundReader, TooManySteps } from './sound-reader.ts';

const HEAD_BYTES = 27;
/** The longest table of sizes with the longest content. */
const MOST_PAGE_BYTES = HEAD_BYTES + 255 + 255 * 255;
const MOST_PACKETS = 4_000_000;
/** If a file claims less than this share of what its packets can hold, the packets decide its length. */
const LEAST_SHARE = 0.5;

type Totals = {
  kind: 'opus' | 'vorbis' | 'other';
  packets: number;
  opusSeconds: number;
  /** The samples of the longest block, and of a second. */
  block: number;
  rate: number;
  granule: number;
};

/** Returns the length of an Ogg file with Opus or Vorbis (RFC 3533). */
export async function oggSeconds(reader: SoundReader): Promise<number | undefined> {
  const totals: Totals = { kind: 'other', packets: 0, opusSeconds: 0, block: 0, rate: 0, granule: 0 };
  let at = 0;
  let isFirst = true;
  while (at < reader.size) {
    const page = await reader.bytes(at, MOST_PAGE_BYTES);
    if (page.length < HEAD_BYTES || page.toString('latin1', 0, 4) !== 'OggS') break;
    const data = Math.min(page.length, HEAD_BYTES + page[26]!);
    if (isFirst) identify(page.subarray(data, data + 30), totals);
    isFirst = false;
    at += addPage(reader, page, totals);
  }
  return secondsOf(totals);
}

function identify(start: Buffer, totals: Totals): void {
  if (start.toString('latin1', 0, 8) === 'OpusHead') totals.kind = 'opus';
  if (start.toString('latin1', 0, 7) !== '\x01vorbis' || start.length < 29) return;
  totals.kind = 'vorbis';
  totals.rate = start.readUInt32LE(12);
  totals.block = 2 ** (start[28]! >> 4);
}

/** Adds the packets that begin on a page, and returns the length of the page. */
function addPage(reader: SoundReader, page: Buffer, totals: Totals): number {
  const granule = Number(page.readBigInt64LE(6));
  if (granule > totals.granule) totals.granule = granule;
  let starts = (page[5]! & 1) === 0; // otherwise the page continues a packet
  const data = Math.min(page.length, HEAD_BYTES + page[26]!);
  let at = data;
  for (let segment = HEAD_BYTES; segment < data; segment++) {
    const size = page[segment]!;
    if (starts) {
      if (++reader.steps > MOST_PACKETS) throw new TooManySteps();
      totals.packets++;
      if (totals.kind === 'opus' && size > 0) addPacket(page, at, totals);
    }
    starts = size < 255;
    at += size;
  }
  return at;
}

const OPUS = Buffer.from('Opus');
const LETTER_O = 0x4f;

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
  const most = (packets * block) / 2 / rate;
  const claimed = granule / rate;
  return claimed >= most * LEAST_SHARE ? claimed : most;
}
