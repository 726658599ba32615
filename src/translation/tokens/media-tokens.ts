import { base64Bytes } from './base64-bytes.ts';
import type { Countable } from './countable.ts';
import { readImageSize } from './image-size.ts';
import { countPdfPages, guessPdfPages } from './pdf-pages.ts';
import { wavRate } from './sound-length.ts';
import type { TokenFamily } from './token-families.ts';

type Media = Exclude<Countable, { kind: 'text' }>;

/** A document that the gateway never sees. */
const PAGES_OF_A_LINK = 5;

const WAV_BYTES_PER_SECOND = 48_000;

/** Estimates the tokens of media. `quick` uses sizes and headers alone, and does not read a whole file. */
export function mediaTokens(media: Media, family: TokenFamily, effort: 'quick' | 'thorough'): number {
  switch (media.kind) {
    case 'tokens':
      return media.tokens;
    case 'image': {
      const size = media.data === undefined ? undefined : readImageSize(media.data);
      return size ? family.image(size, media.detail) : family.unseenImageTokens;
    }
    case 'pdf': {
      const countPages = effort === 'quick' ? (data: string) => guessPdfPages(data.length) : countPdfPages;
      return family.pdfPageTokens * (media.data === undefined ? PAGES_OF_A_LINK : countPages(media.data));
    }
    case 'audio': {
      const seconds = base64Bytes(media.data.length) / bytesPerSecond(media);
      return Math.ceil(seconds * family.audioTokensPerSecond);
    }
  }
}

/** 128 kbit/s, if the file does not say. */
const MP3_BYTES_PER_SECOND = 16_000;

/** Returns the rate in the header of a wave file, or the default. */
const bytesPerSecond = ({ data, isWav }: { data: string; isWav: boolean }): number =>
  isWav ? (wavRate(data) ?? WAV_BYTES_PER_SECOND) : MP3_BYTES_PER_SECOND;
