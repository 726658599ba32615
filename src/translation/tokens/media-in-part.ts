import { objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { type DataUrl, readDataUrl } from '../../base/lib/read-data-url.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { ImageDetail } from './image-rules.ts';

/** The members of a turn or a part, or of an object within it. */
export type PartFields = Readonly<Record<string, unknown>>;

/** The media of a part. `data`: its bytes in base64, or undefined if they are external. */
export type PartMedia =
  | { kind: 'image'; data: string | undefined; detail: ImageDetail }
  | { kind: 'document'; data: string | undefined }
  | { kind: 'audio'; data: string; isWav: boolean }
  | { kind: 'text'; text: string };

/**
 * `place`: the member of the part that holds the bytes, and the member inside that one.
 * All else in the part is text.
 */
type FoundMedia = { media: PartMedia; place: readonly string[] };

/** The place of media that are not in the part. */
export const NOWHERE: readonly string[] = [];
const SOURCE = ['source', 'data'];
const INLINE = ['inlineData', 'data'];

/** Returns the content of a data URL, or undefined for other addresses. */
function inlineOf(address: unknown): DataUrl | undefined {
  return typeof address === 'string' ? readDataUrl(address) : undefined;
}

const detailOf = (detail: unknown): ImageDetail => (detail === 'low' || detail === 'high' ? detail : 'auto');

function imageMedia(
  inline: { data: string } | undefined,
  detail: unknown,
  place: readonly string[],
): FoundMedia {
  return {
    media: { kind: 'image', data: inline?.data, detail: detailOf(detail) },
    place: inline ? place : NOWHERE,
  };
}

function documentMedia(inline: DataUrl | undefined, place: readonly string[]): FoundMedia {
  if (!inline) return { media: { kind: 'document', data: undefined }, place: NOWHERE };
  const { data, mediaType } = inline;
  if (!/^text\//i.test(mediaType)) return { media: { kind: 'document', data }, place };
  return { media: { kind: 'text', text: Buffer.from(data, 'base64').toString() }, place };
}

/** Finds media in base64 or at an address. A source of plain text is counted like any text. */
function sourceMedia({ source }: PartFields, kind: 'image' | 'document'): FoundMedia | undefined {
  const { type, media_type, data } = objectOf(source);
  if (type !== 'base64' && type !== 'url' && type !== 'file') return undefined;
  const base64 = type === 'base64' ? textOf(data) : undefined;
  const inline = base64 === undefined ? undefined : { data: base64, mediaType: textOf(media_type) ?? '' };
  return kind === 'image' ? imageMedia(inline, undefined, SOURCE) : documentMedia(inline, SOURCE);
}

/** Finds a file, whose data is a data URL or plain base64. */
function fileIn(data: unknown, place: readonly string[]): FoundMedia {
  const whole = textOf(data);
  return documentMedia(inlineOf(whole) ?? (whole ? { data: whole, mediaType: '' } : undefined), place);
}

function audioIn({ input_audio }: PartFields): FoundMedia {
  const { data, format } = objectOf(input_audio);
  const sound = textOf(data);
  return {
    media: { kind: 'audio', data: sound ?? '', isWav: format === 'wav' },
    place: sound === undefined ? NOWHERE : ['input_audio', 'data'],
  };
}

const byType: Readonly<Record<string, (part: PartFields) => FoundMedia | undefined>> = {
  // messages
  image: (part) => sourceMedia(part, 'image'),
  document: (part) => sourceMedia(part, 'document'),
  // chat completions
  image_url({ image_url }) {
    const { url, detail } = objectOf(image_url);
    return imageMedia(inlineOf(url), detail, ['image_url', 'url']);
  },
  file: ({ file }) => fileIn(objectOf(file).file_data, ['file', 'file_data']),
  input_audio: audioIn,
  // responses
  input_image: ({ image_url, detail }) => imageMedia(inlineOf(image_url), detail, ['image_url']),
  input_file: ({ file_data }) => fileIn(file_data, ['file_data']),
};

/** Finds the media of a part in Gemini's dialect, whose parts have no type. */
function untypedMedia({ inlineData, fileData }: PartFields): FoundMedia | undefined {
  if (isObject(fileData)) {
    const isImage = textOf(fileData.mimeType)?.startsWith('image/') === true;
    return isImage ? imageMedia(undefined, undefined, NOWHERE) : documentMedia(undefined, NOWHERE);
  }
  const { mimeType, data } = objectOf(inlineData);
  const mediaType = textOf(mimeType) ?? '';
  const bytes = textOf(data);
  if (bytes === undefined) return undefined;
  if (mediaType.startsWith('image/')) return imageMedia({ data: bytes }, undefined, INLINE);
  if (!mediaType.startsWith('audio/')) return documentMedia({ mediaType, data: bytes }, INLINE);
  return { media: { kind: 'audio', data: bytes, isWav: mediaType === 'audio/wav' }, place: INLINE };
}

/** Finds the media in a part of a client's body, and its place, in any dialect. */
export function mediaInPart(part: PartFields): FoundMedia | undefined {
  if (typeof part.type !== 'string')
    return part.inlineData == null && part.fileData == null ? undefined : untypedMedia(part);
  return lookUp(byType, part.type)?.(part);
}
