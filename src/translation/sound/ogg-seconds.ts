import { opusPacketSeconds } from './opus-packet.ts';
import { type SoundReader, TooManySteps } from './sound-reader.ts';

const HEAD_BYTES = 27;
const MOST_PACKETS = 4_000_000;
/** A file that claims less than this share of what its packets can hold is taken at the packets. */
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
    const page = await reader.bytes(at, HEAD_BYTES + 255);
    if (page.length < HEAD_BYTES || page.toString('latin1', 0, 4) !== 'OggS') break;
    const segments = page.subarray(HEAD_BYTES, HEAD_BYTES + page[26]!);
    const data = at + HEAD_BYTES + segments.length;
    if (isFirst) identify(await reader.bytes(data, 30), totals);
    isFirst = false;
    await addPage(reader, { page, segments, data }, totals);
    at = data + segments.reduce((sum, size) => sum + size, 0);
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

type Page = { page: Buffer; segments: Buffer; data: number };

async function addPage(reader: SoundReader, { page, segments, data }: Page, totals: Totals): Promise<void> {
  const granule = Number(page.readBigInt64LE(6));
  if (granule > totals.granule) totals.granule = granule;
  let starts = (page[5]! & 1) === 0; // otherwise the page continues a packet
  let at = data;
  for (const size of Uint8Array.from(segments)) {
    if (starts) {
      if (++reader.steps > MOST_PACKETS) throw new TooManySteps();
      totals.packets++;
      if (totals.kind === 'opus' && size > 0) addPacket(await reader.bytes(at, 8), totals);
    }
    starts = size < 255;
    at += size;
  }
}

function addPacket(start: Buffer, totals: Totals): void {
  const text = start.toString('latin1');
  if (text === 'OpusHead' || text === 'OpusTags') return;
  totals.opusSeconds += opusPacketSeconds(start[0]!, start[1] ?? 0);
}

function secondsOf({ kind, packets, opusSeconds, block, rate, granule }: Totals): number | undefined {
  if (kind === 'opus') return opusSeconds;
  if (kind !== 'vorbis' || rate === 0) return undefined;
  const most = (packets * block) / 2 / rate;
  const claimed = granule / rate;
  return claimed >= most * LEAST_SHARE ? claimed : most;
}
