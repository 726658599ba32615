import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type { MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import { mediaTypeOf, OWN_ADDRESS } from '../google/media-types.ts';
import { type MediaPart, noteMediaLosses } from '../google/note-media-losses.ts';

export type InteractionContent = Record<string, unknown>;

/** Encodes media as a content. Media that the vendor cannot read refuses the request and has no content. */
export function encodeMedia(part: MediaPart, notes: EncodeNotes): InteractionContent[] {
  noteMediaLosses(part, notes);
  const source = handlerOf(sources, part.source)(part.source, notes);
  return source ? [{ type: part.kind, ...source }] : [];
}

const sources: KindTable<MediaSource, [notes: EncodeNotes], InteractionContent | undefined> = {
  base64: ({ mediaType, data }) => ({ mime_type: mediaType, data }),
  text: ({ text }) => ({ mime_type: 'text/plain', data: Buffer.from(text).toString('base64') }),
  url: ({ url }) => contentAt(url),
  file: ({ fileId }, notes) => {
    if (OWN_ADDRESS.test(fileId)) return contentAt(fileId);
    const problem = 'the chosen model cannot read files by this id';
    refuseMedia(notes, { kind: 'file', fileId }, { problem });
    return undefined;
  },
};

function contentAt(uri: string): InteractionContent {
  const mediaType = mediaTypeOf(uri);
  return { ...(mediaType && { mime_type: mediaType }), uri };
}
