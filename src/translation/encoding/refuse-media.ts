import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { MediaSource } from '../canonical/part.ts';
import type { EncodeNotes } from './encode-notes.ts';

/**
 * Refuses an image, file or sound that a wire has no form for.
 * `placeRefusal` later adds the path, since only the dialect knows it.
 */
export function refuseMedia(
  notes: EncodeNotes,
  source: MediaSource,
  { problem, code = 'invalid_request' }: { problem: string; code?: ErrorCode },
): void {
  notes.refuse(new Refusal(code, { message: problem, quote: textOf(source) }));
}

const textOf = (source: MediaSource): string => {
  switch (source.kind) {
    case 'base64':
      return source.data;
    case 'url':
      return source.url;
    case 'file':
      return source.fileId;
    case 'text':
      return source.text;
  }
};
