import type { KeptBytes, SoundLength } from '../../base/forms/form.ts';
import { adtsFrame } from './adts-frame.ts';
import { boundOfBytes } from './bound-of-bytes.ts';
import { flacSeconds } from './flac-seconds.ts';
import { framedSeconds } from './framed-seconds.ts';
import { mp3Frame } from './mp3-frame.ts';
import { mp4Seconds } from './mp4-seconds.ts';
import { oggSeconds } from './ogg-seconds.ts';
import { type SoundPlace, SoundReader, TooManySteps } from './sound-reader.ts';
import { wavSeconds } from './wav-seconds.ts';
import { webmSeconds } from './webm-seconds.ts';

type Kind = {
  is(start: Buffer): boolean;
  /** Returns undefined if the file is not as its first bytes say. */
  seconds(reader: SoundReader): Promise<number | undefined>;
};

const starts = (text: string, at = 0) => {
  const bytes = Buffer.from(text, 'latin1');
  return (start: Buffer) => start.subarray(at, at + bytes.length).equals(bytes);
};
const isSync = (start: Buffer, mask: number, bits: number) =>
  start[0] === 0xff && (start[1]! & mask) === bits;

const KINDS: readonly Kind[] = [
  { is: (start) => starts('RIFF')(start) && starts('WAVE', 8)(start), seconds: wavSeconds },
  { is: starts('fLaC'), seconds: flacSeconds },
  { is: starts('OggS'), seconds: oggSeconds },
  { is: starts('ftyp', 4), seconds: mp4Seconds },
  { is: starts('\x1a\x45\xdf\xa3'), seconds: webmSeconds },
  { is: (start) => isSync(start, 0xf6, 0xf0), seconds: (reader) => framedSeconds(reader, adtsFrame) },
  {
    is: (start) => starts('ID3')(start) || isSync(start, 0xe0, 0xe0),
    seconds: (reader) => framedSeconds(reader, mp3Frame),
  },
];

/**
 * Returns the length of a sound file. It counts what a decoder would play: frames, packets and samples. A
 * length that a header only claims is never trusted alone, because a client could claim a shorter one.
 */
export async function soundSeconds(file: SoundPlace, bytes: KeptBytes): Promise<SoundLength> {
  const reader = new SoundReader(file, bytes);
  const start = await reader.bytes(0, 16);
  const kind = KINDS.find(({ is }) => is(start));
  const seconds = await kind?.seconds(reader).catch((error: unknown) => {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  });
  if (seconds !== undefined && Number.isFinite(seconds) && seconds > 0) return { seconds, isMeasured: true };
  return { seconds: boundOfBytes(file.byteLength), isMeasured: false };
}
