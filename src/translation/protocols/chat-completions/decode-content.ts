import { isObject } from '../../../base/lib/is-object.ts';
import type {
  AudioPart,
  CacheBreakpoint,
  DocumentPart,
  ImagePart,
  MediaSource,
  OpaquePart,
  Part,
  RefusalPart,
  TextPart,
} from '../../canonical/part.ts';
import type { KnownPart } from './content-schema.ts';
import { PROTOCOL } from './protocol.ts';
import type { ChatMessage } from './request-schema.ts';

export type Content = ChatMessage['content'];
export type ChatContentPart = Exclude<Content, string | null | undefined>[number];
type Of<Type extends KnownPart['type']> = Extract<KnownPart, { type: Type }>;

const DATA_URL = /^data:([^;,]*)[^,]{0,200};base64,/i;
const DETAILS = new Set<unknown>(['low', 'high', 'auto']);

const decoders: { [Type in KnownPart['type']]: (part: Of<Type>) => Part } = {
  text: (part): TextPart => ({ kind: 'text', text: part.text, ...cacheOf(part) }),
  refusal: ({ refusal }): RefusalPart => ({ kind: 'refusal', text: refusal }),
  image_url: decodeImage,
  input_audio: ({ input_audio: { data, format } }): AudioPart => ({
    kind: 'audio',
    source: { kind: 'base64', mediaType: `audio/${format}`, data },
  }),
  file: decodeFile,
};

/** Decodes a part. One that only its host knows stays as it is. */
const decodePart = (part: ChatContentPart): Part =>
  Object.hasOwn(decoders, part.type)
    ? (decoders[part.type as KnownPart['type']] as (part: ChatContentPart) => Part)(part)
    : ({ kind: 'opaque', issuer: PROTOCOL, block: part } satisfies OpaquePart);

/** Decodes content. A text is one part. Null, a missing value and an empty text are no parts. */
export function decodeContent(content: Content): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return content.map(decodePart);
}

export function cacheOf(part: object): { cache?: CacheBreakpoint } {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = part as Record<string, unknown>;
  if (!isObject(control)) return isObject(breakpoint) ? { cache: {} } : {};
  return { cache: typeof control.ttl === 'string' ? { ttl: control.ttl } : {} };
}

function sourceOf(url: string, otherwise: string): MediaSource {
  const inline = DATA_URL.exec(url);
  if (!inline) return { kind: 'url', url };
  return { kind: 'base64', mediaType: inline[1] || otherwise, data: url.slice(inline[0].length) };
}

function decodeImage(part: Of<'image_url'>): ImagePart {
  const { url, detail } = part.image_url;
  return {
    kind: 'image',
    source: sourceOf(url, 'image/png'),
    ...(DETAILS.has(detail) && { detail: detail as NonNullable<ImagePart['detail']> }),
    ...cacheOf(part),
  };
}

const IS_URL = /^(?:https?|data):/i;
const PDF = 'application/pdf';

function decodeFile(part: Of<'file'>): DocumentPart {
  const { filename } = part.file;
  return { kind: 'document', source: documentOf(part.file), ...(filename && { filename }), ...cacheOf(part) };
}

/** Decodes the data of a file. The vendor asks for a data URL, but some clients send only the base64 data. */
function documentOf(file: Of<'file'>['file']): MediaSource {
  const data = 'file_data' in file ? file.file_data : undefined;
  if (data === undefined) return { kind: 'file', fileId: file.file_id! };
  return IS_URL.test(data.slice(0, 8)) ? sourceOf(data, PDF) : { kind: 'base64', mediaType: PDF, data };
}
