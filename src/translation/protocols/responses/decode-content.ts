import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { readDataUrl } from '../../../base/lib/read-data-url.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  MediaSource,
  Part,
  TextPart,
  ToolResultContent,
} from '../../canonical/part.ts';
import { decodeCitation } from './citation.ts';

type Decoders<T> = Readonly<Record<string, (content: JsonObject) => T>>;

const outputDecoders: Decoders<ToolResultContent> = {
  input_text: decodeText,
  output_text: decodeText,
  input_image: decodeImage,
  input_file: decodeFile,
};

const messageDecoders: Decoders<Part> = {
  ...outputDecoders,
  refusal: ({ refusal }) => ({ kind: 'refusal', text: String(refusal) }),
  input_audio: decodeAudio,
};

/**
 * The details with a canonical form.
 * `auto` equals an absent detail, and `original` becomes `high`, the best that other vendors offer.
 */
const details: Readonly<Record<string, 'low' | 'high'>> = { low: 'low', high: 'high', original: 'high' };

/** Decodes the content of a message. `decodeUnknown` decodes an element that only the vendor knows. */
export const decodeContent = (content: unknown, decodeUnknown: (element: JsonObject) => Part): Part[] =>
  decodeElements(content, messageDecoders, decodeUnknown);

/** Decodes a tool's output. An unknown element becomes its JSON text, so that no result is lost. */
export const decodeOutput = (output: unknown): ToolResultContent[] =>
  decodeElements(output, outputDecoders, (element) => ({ kind: 'text', text: JSON.stringify(element) }));

function decodeElements<T>(
  content: unknown,
  decoders: Decoders<T>,
  decodeUnknown: (element: JsonObject) => T,
): (T | TextPart)[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return listOf(content)
    .map(objectOf)
    .map((element) => (lookUp(decoders, String(element.type)) ?? decodeUnknown)(element));
}

/** Decodes a breakpoint. The vendor's breakpoints have no options. */
const cacheOf = ({ prompt_cache_breakpoint }: JsonObject) =>
  prompt_cache_breakpoint == null ? {} : { cache: {} };

function decodeText(content: JsonObject): TextPart {
  const citations = listOf(content.annotations).map(decodeCitation);
  const text = String(content.text);
  return { kind: 'text', text, ...(citations.length > 0 && { citations }), ...cacheOf(content) };
}

function imageSource(url: string): MediaSource {
  const inline = readDataUrl(url);
  if (!inline) return { kind: 'url', url };
  return { kind: 'base64', mediaType: inline.mediaType || 'image/png', data: inline.data };
}

function decodeImage(content: JsonObject): ImagePart {
  const url = textOf(content.image_url);
  const source = url === undefined ? fileSource(content) : imageSource(url);
  const detail = lookUp(details, String(content.detail));
  return { kind: 'image', source, ...(detail && { detail }), ...cacheOf(content) };
}

const fileSource = ({ file_id }: JsonObject): MediaSource => ({ kind: 'file', fileId: String(file_id) });

function decodeFile(content: JsonObject): DocumentPart {
  const filename = textOf(content.filename);
  const source = documentSource(content);
  return { kind: 'document', source, ...(filename !== undefined && { filename }), ...cacheOf(content) };
}

function documentSource(content: JsonObject): MediaSource {
  const data = textOf(content.file_data);
  if (data !== undefined) return documentOf(data);
  const url = textOf(content.file_url);
  return url === undefined ? fileSource(content) : { kind: 'url', url };
}

/**
 * Decodes file data. Data without a header is a PDF, the only type that this field once accepted. Plain text
 * becomes a text document, which every vendor can read.
 */
function documentOf(data: string): MediaSource {
  const inline = readDataUrl(data) ?? { mediaType: '', data };
  if (inline.mediaType !== 'text/plain')
    return { kind: 'base64', mediaType: inline.mediaType || 'application/pdf', data: inline.data };
  return { kind: 'text', text: Buffer.from(inline.data, 'base64').toString() };
}

/** Decodes a sound. The schema accepts no formats other than these two. */
function decodeAudio({ input_audio }: JsonObject): AudioPart {
  const { data, format } = objectOf(input_audio);
  const mediaType = format === 'mp3' ? 'audio/mpeg' : 'audio/wav';
  return { kind: 'audio', source: { kind: 'base64', mediaType, data: String(data) } };
}
