import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type { MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import { mediaTypeOf, OWN_ADDRESS } from './media-types.ts';
import { type MediaPart, noteMediaLosses } from './note-media-losses.ts';

/** A part of a request in the vendor's form. */
export type GooglePart = Record<string, unknown>;

/** Encodes media in the request itself or by address. Ids of other vendors' files are refused. */
export function encodeMedia(part: MediaPart, notes: EncodeNotes): GooglePart[] {
  noteMediaLosses(part, notes);
  return handlerOf(encoders, part.source)(part.source, notes);
}

const encoders: KindTable<MediaSource, [notes: EncodeNotes], GooglePart[]> = {
  base64: ({ mediaType, data }) => [{ inlineData: { mimeType: mediaType, data } }],
  text: ({ text }) => [
    { inlineData: { mimeType: 'text/plain', data: Buffer.from(text).toString('base64') } },
  ],
  url: ({ url }) => [fileData(url)],
  file: ({ fileId }, notes) => {
    if (OWN_ADDRESS.test(fileId)) return [fileData(fileId)];
    refuseMedia(
      notes,
      { kind: 'file', fileId },
      { problem: 'the chosen model cannot read files by this id' },
    );
    return [];
  },
};

function fileData(fileUri: string): GooglePart {
  const mimeType = mediaTypeOf(fileUri);
  return { fileData: { ...(mimeType && { mimeType }), fileUri } };
}
