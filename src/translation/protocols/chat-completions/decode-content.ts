import { textOf } from '../../../base/json/read-json.ts';
import { readDataUrl } from '../../../base/lib/read-data-url.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { DocumentPart, ImagePart, MediaSource, Part } from '../../canonical/part.ts';
import { cacheOf } from './cache-control.ts';
import type { KnownPart } from './content-schema.ts';
import { PROTOCOL } from './protocol.ts';
import type { ChatMessage } from './request-schema.ts';

type Content = ChatMessage['content'];
type ContentPart = Exclude<Content, string | null | undefined>[number];
type PartOf<Type extends KnownPart['type']> = Extract<KnownPart, { type: Type }>;

const decoders: { readonly [Type in KnownPart['type']]: (part: PartOf<Type>) => Part } = {
  text: (part) => ({ kind: 'text', text: part.text, ...cacheOf(part) }),
  refusal: ({ refusal }) => ({ kind: 'refusal', text: refusal }),
  image_url: decodeImage,
  input_audio: ({ input_audio: { data, format } }) => ({
    kind: 'audio',
    source: { kind: 'base64', mediaType: `audio/${format}`, data },
  }),
  file: decodeFile,
};

const PDF = 'application/pdf';

const URL_START = /^(?:https?|data):/i;

/** Decodes a part. A part that only its host knows stays as it is. */
function decodePart(part: ContentPart): Part {
  // TypeScript cannot see that the decoder and the part are of one type.
  const decode = lookUp(decoders as Record<string, (part: ContentPart) => Part>, part.type);
  return decode ? decode(part) : { kind: 'opaque', issuer: PROTOCOL, block: part };
}

/** Decodes content. A text is one part. Null, a missing value and an empty text have no part. */
export function decodeContent(content: Content): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return content.map(decodePart);
}

/** Reads an address. A data URL without a media type has the default one. */
function sourceOf(url: string, defaultType: string): MediaSource {
  const inline = readDataUrl(url);
  if (!inline) return { kind: 'url', url };
  return { kind: 'base64', mediaType: inline.mediaType || defaultType, data: inline.data };
}

function decodeImage(part: PartOf<'image_url'>): ImagePart {
  const { url, detail } = part.image_url;
  return {
    kind: 'image',
    source: sourceOf(url, 'image/png'),
    ...(isDetail(detail) && { detail }),
    ...cacheOf(part),
  };
}

const details: ReadonlySet<unknown> = new Set<Detail>(['low', 'high', 'auto']);
type Detail = NonNullable<ImagePart['detail']>;
const isDetail = (word: unknown): word is Detail => details.has(word);

function decodeFile(part: PartOf<'file'>): DocumentPart {
  const { filename } = part.file;
  return { kind: 'document', source: fileSource(part.file), ...(filename && { filename }), ...cacheOf(part) };
}

/**
 * Reads the data of a file, or its id if the client sent no data. The vendor asks for a data URL, but some
 * clients send only the base64 data.
 */
function fileSource(file: PartOf<'file'>['file']): MediaSource {
  const data = 'file_data' in file ? textOf(file.file_data) : undefined;
  if (!data) return { kind: 'file', fileId: file.file_id! }; // the schema requires one of the two
  return URL_START.test(data.slice(0, 8)) ? sourceOf(data, PDF) : { kind: 'base64', mediaType: PDF, data };
}
