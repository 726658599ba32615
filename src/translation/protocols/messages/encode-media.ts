import { handlerOf, type KindTable } from '../../canonical/kind-table.ts';
import type { DocumentPart, ImagePart, MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import type { Block } from './block.ts';
import { encodeCache } from './cache-control.ts';

const sources: KindTable<MediaSource, [], object> = {
  base64: ({ mediaType, data }) => ({ type: 'base64', media_type: mediaType, data }),
  text: ({ text }) => ({ type: 'text', media_type: 'text/plain', data: text }),
  url: ({ url }) => ({ type: 'url', url }),
  file: ({ fileId }) => ({ type: 'file', file_id: fileId }),
};

/** The media types that are sent as text. In base64 this wire accepts only PDF. */
const TEXT = /^(text\/|application\/(json|xml|yaml|x-yaml|javascript)\b)/;

const encodeSource = (source: MediaSource): object => handlerOf(sources, source)(source);

export function encodeImage({ source, detail, cache }: ImagePart, notes: EncodeNotes): Block {
  if (detail !== undefined && detail !== 'auto') notes.lose('image-detail');
  return { type: 'image', source: encodeSource(source), ...encodeCache(cache) };
}

export function encodeDocument(part: DocumentPart): Block {
  const { title = part.filename, context, citable, cache } = part;
  return {
    type: 'document',
    source: encodeSource(asText(part.source)),
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    ...(citable && { citations: { enabled: true } }),
    ...encodeCache(cache),
  };
}

function asText(source: MediaSource): MediaSource {
  if (source.kind !== 'base64' || !TEXT.test(source.mediaType)) return source;
  return { kind: 'text', text: Buffer.from(source.data, 'base64').toString() };
}
