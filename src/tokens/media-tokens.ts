import type { Countable } from './countable.ts';
import { readImageSize } from './image-size.ts';
import { countPdfPages, guessPdfPages } from './pdf-pages.ts';
import type { TokenFamily } from './token-family.ts';

type Media = Exclude<Countable, { kind: 'text' }>;

/** `quick`: from sizes and headers alone, without a look through a whole file. */
export function mediaTokens(media: Media, family: TokenFamily, how: 'quick' | 'thorough'): number {
  switch (media.kind) {
    case 'tokens':
      return media.tokens;
    case 'image': {
      const size = media.data === undefined ? undefined : readImageSize(media.data);
      return size ? family.image(size, media.detail) : family.unseenImageTokens;
    }
    case 'pdf': {
      const countPages = how === 'quick' ? (data: string) => guessPdfPages(data.length) : countPdfPages;
      return family.pdfPageTokens * (media.data === undefined ? PAGES_OF_A_LINK : countPages(media.data));
    }
    case 'audio': {
      const seconds = (media.data.length * 0.75) / bytesPerSecond(media);
      return Math.ceil(seconds * family.audioTokensPerSecond);
    }
  }
}

/** A document that we never see. */
const PAGES_OF_A_LINK = 5;
/** 128 kbit/s, where the file does not say. */
const MP3_BYTES_PER_SECOND = 16_000;
const WAV_BYTES_PER_SECOND = 48_000;

/** A wave file's header says how many bytes a second takes. */
function bytesPerSecond({ data, isWav }: { data: string; isWav: boolean }): number {
  if (!isWav) return MP3_BYTES_PER_SECOND;
  const header = Buffer.from(data.slice(0, 64), 'base64');
  const told = header.length >= 32 ? header.readUInt32LE(28) : 0;
  return told > 0 ? told : WAV_BYTES_PER_SECOND;
}
