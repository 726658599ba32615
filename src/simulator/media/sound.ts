import { keysOf } from '../../base/lib/records.ts';
import { adtsSound } from './adts-sound.ts';
import { flacSound } from './flac-sound.ts';
import { mp3Sound } from './mp3-sound.ts';
import { oggSound } from './ogg-sound.ts';
import type { SoundWriter } from './sound-writer.ts';
import { pcmSound, wavSound } from './wav-sound.ts';

const WRITERS = {
  mp3: mp3Sound,
  opus: oggSound,
  aac: adtsSound,
  flac: flacSound,
  wav: wavSound,
  pcm: pcmSound,
} as const satisfies Record<string, SoundWriter>;

export type SoundFormat = keyof typeof WRITERS;
export const SOUND_FORMATS = keysOf(WRITERS);
const LABEL = 'SIMULATED';

export const soundType = (format: SoundFormat): string => WRITERS[format].contentType;

/** Yields a sound file of at least this length in pieces of about half a second. */
export function* soundOf(format: SoundFormat, seconds: number): Generator<Uint8Array> {
  const writer: SoundWriter = WRITERS[format];
  const pieces = Math.max(1, Math.ceil(seconds / writer.pieceSeconds));
  const head = writer.head(pieces, LABEL);
  if (head.byteLength > 0) yield head;
  for (let index = 0; index < pieces; index++) yield writer.piece(index, { isLast: index === pieces - 1 });
}
