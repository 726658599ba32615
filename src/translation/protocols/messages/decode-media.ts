import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DocumentPart, ImagePart, MediaSource, TextPart } from '../../canonical/part.ts';
import { cacheOf } from './cache-control.ts';
import { decodeText } from './decode-text.ts';

type ContentPart = TextPart | ImagePart | DocumentPart;

/** The decoders of the sources. The schema accepts no others. */
const sources: Readonly<Record<string, (source: Fields) => MediaSource>> = {
  base64: ({ media_type, data }) => ({
    kind: 'base64',
    mediaType: String(media_type),
    data: String(data),
  }),
  text: ({ data }) => ({ kind: 'text', text: String(data) }),
  url: ({ url }) => ({ kind: 'url', url: String(url) }),
  file: ({ file_id }) => ({ kind: 'file', fileId: String(file_id) }),
  content: ({ content }) => ({ kind: 'text', text: plainText(content) }),
};

const sourceOf = (source: Fields): MediaSource => lookUp(sources, textOf(source.type))!(source);

export const decodeImage = (block: Fields): ImagePart => ({
  kind: 'image',
  source: sourceOf(objectOf(block.source)),
  ...cacheOf(block),
});

/**
 * Decodes a document. A document made of blocks becomes its text.
 * If it has images, its blocks become separate parts.
 */
export function decodeDocument(block: Fields): ContentPart[] {
  const source = objectOf(block.source);
  const inner = listOf(source.content).map(objectOf);
  if (!inner.some(({ type }) => type === 'image')) {
    return [{ kind: 'document', source: sourceOf(source), ...titleOf(block), ...cacheOf(block) }];
  }
  const parts = inner.map((block) => (block.type === 'image' ? decodeImage(block) : decodeText(block)));
  const title = textOf(block.title);
  if (title !== undefined) parts.unshift({ kind: 'text', text: title });
  return parts.with(-1, { ...parts.at(-1)!, ...cacheOf(block) }); // it has an image at least
}

/** Decodes a result of the client's own search as a document. Its context is the source of the result. */
export const decodeSearchResult = (block: Fields): DocumentPart => ({
  kind: 'document',
  source: { kind: 'text', text: plainText(block.content) },
  ...titleOf({ ...block, context: block.source }),
  ...cacheOf(block),
});

function titleOf({ title, context, citations }: Fields): Partial<DocumentPart> {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof context === 'string' && { context }),
    ...(objectOf(citations).enabled === true && { citable: true }),
  };
}

const plainText = (content: unknown): string =>
  textOf(content) ??
  listOf(content)
    .map((block) => textOf(objectOf(block).text) ?? '')
    .join('\n');
