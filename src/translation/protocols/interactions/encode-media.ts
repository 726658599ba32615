import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import { mediaTypeOf, OWN_ADDRESS } from '../google/media-types.ts';

export type InteractionContent = Record<string, unknown>;
type MediaPart = ImagePart | DocumentPart | AudioPart;

export function encodeMedia(part: MediaPart, notes: EncodeNotes): InteractionContent[] {
  noteLosses(part, notes);
  const source = sources[part.source.kind](part.source as never, notes);
  return source ? [{ type: part.kind, ...source }] : [];
}

type Sources = {
  [K in MediaSource['kind']]: (
    source: Extract<MediaSource, { kind: K }>,
    notes: EncodeNotes,
  ) => InteractionContent | undefined;
};

const sources: Sources = {
  base64: ({ mediaType, data }) => ({ mime_type: mediaType, data }),
  text: ({ text }) => ({ mime_type: 'text/plain', data: Buffer.from(text).toString('base64') }),
  url: ({ url }) => addressed(url),
  file: ({ fileId }, notes) => {
    if (OWN_ADDRESS.test(fileId)) return addressed(fileId);
    const problem = 'the chosen model cannot read files by this id';
    refuseMedia(notes, { kind: 'file', fileId }, { problem });
    return undefined;
  },
};

function addressed(uri: string): InteractionContent {
  const mediaType = mediaTypeOf(uri);
  return { ...(mediaType && { mime_type: mediaType }), uri };
}

function noteLosses(part: MediaPart, notes: EncodeNotes): void {
  if (part.kind === 'image' && part.detail !== undefined && part.detail !== 'auto')
    notes.lose('image-detail');
  if (part.kind !== 'document') return;
  if (part.title !== undefined || part.context !== undefined) notes.lose('document-context');
  if (part.citable) notes.lose('citation');
}
