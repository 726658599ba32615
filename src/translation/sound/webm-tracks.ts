import { lookUp } from '../../base/lib/records.ts';
import { boundOfBytes } from './bound-of-bytes.ts';
import { opusPacketSeconds } from './opus-packet-seconds.ts';
import { type ElementHead, readVint, WEBM_IDS } from './webm-elements.ts';

/** The type of a track with sound. */
const SOUND = 2;

/** The sound in a frame of the codecs that have one frame in a block, or one for each part of a lace. */
const FRAME_SECONDS: Readonly<Record<string, number>> = { A_VORBIS: 0.02, A_AAC: 0.02 };

/** The codec of a track that is described in several ways, or whose blocks are packed. */
const UNCLEAR = 'unclear';

// biome-ignore format: a line for each group
const readIds: ReadonlySet<number> = new Set([
  WEBM_IDS.timestampScale, WEBM_IDS.timestamp, WEBM_IDS.trackNumber, WEBM_IDS.trackType, WEBM_IDS.codec,
  WEBM_IDS.simpleBlock, WEBM_IDS.block, WEBM_IDS.encodings,
]);

/** A track that is described at the moment. */
type DescribedTrack = { number: number; type: number; codec: string };

/** Adds up the sound of a file's tracks, element by element. */
export class WebmTracks {
  #described: DescribedTrack = { number: 0, type: 0, codec: '' };
  /** The codecs of the sound tracks, by their numbers. */
  readonly #codecs = new Map<number, string>();
  #nanosecondsPerTick = 1_000_000;
  /** The start of the current cluster, and the latest start of a block, in ticks. */
  #clusterTicks = 0;
  #lastTicks = 0;
  #opusSeconds = 0;
  /** The sound in blocks of other codecs, at least. */
  #otherSeconds = 0;

  /** The length of the sound. Undefined if no track has sound. */
  get seconds(): number | undefined {
    if (this.#codecs.size === 0) return undefined;
    const timedSeconds = (this.#lastTicks * this.#nanosecondsPerTick) / 1e9;
    return Math.max(timedSeconds, this.#opusSeconds + this.#otherSeconds);
  }

  /** Reports whether the content of an element matters. */
  reads(id: number): boolean {
    return readIds.has(id);
  }

  beginTrack(): void {
    this.#described = { number: 0, type: 0, codec: '' };
  }

  /** Reads an element. `bytes` is the beginning of its content. */
  read({ id, size }: ElementHead, bytes: Buffer): void {
    if (id === WEBM_IDS.timestampScale) this.#nanosecondsPerTick = uint(bytes) || this.#nanosecondsPerTick;
    else if (id === WEBM_IDS.timestamp) this.#clusterTicks = uint(bytes);
    else if (id === WEBM_IDS.simpleBlock || id === WEBM_IDS.block) this.#readBlock(bytes, size);
    else this.#describe(id, bytes);
    const { number, type, codec } = this.#described;
    if (type === SOUND && number > 0)
      this.#codecs.set(number, agreedCodec(this.#codecs.get(number) ?? '', codec));
  }

  #describe(id: number, bytes: Buffer): void {
    const track = this.#described;
    if (id === WEBM_IDS.trackNumber) track.number = uint(bytes);
    else if (id === WEBM_IDS.trackType) track.type = uint(bytes);
    else if (id === WEBM_IDS.codec) track.codec = agreedCodec(track.codec, bytes.toString('latin1'));
    else track.codec = UNCLEAR; // the blocks are packed
  }

  #readBlock(bytes: Buffer, size: number): void {
    const track = readVint(bytes, 0, 'number');
    const codec = track && this.#codecs.get(track.value);
    if (!track || codec === undefined || bytes.length < track.length + 4) return;
    const at = track.length;
    const isLaced = (bytes[at + 2]! & 0x06) !== 0;
    const frames = isLaced ? (bytes[at + 3] ?? 0) + 1 : 1;
    this.#lastTicks = Math.max(this.#lastTicks, this.#clusterTicks + bytes.readInt16BE(at));
    if (!codec.startsWith('A_OPUS')) {
      const frameSeconds = lookUp(FRAME_SECONDS, codec);
      this.#otherSeconds += frameSeconds === undefined ? boundOfBytes(size) : frames * frameSeconds;
      return;
    }
    const first = isLaced ? Math.min(at + 4 + frames, bytes.length - 1) : at + 3;
    this.#opusSeconds += frames * opusPacketSeconds(bytes[first]!, bytes[first + 1] ?? 0);
  }
}

/** Returns the codec that two descriptions of a track agree on. An empty one says nothing. */
const agreedCodec = (one: string, other: string): string =>
  one === '' || other === '' || one === other ? one || other : UNCLEAR;

const uint = (bytes: Buffer): number => bytes.subarray(0, 8).reduce((sum, byte) => sum * 256 + byte, 0);
