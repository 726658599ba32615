import { lookUp } from '../../../base/lib/records.ts';
import type {
  AudioPart,
  DocumentPart,
  ImagePart,
  MediaSource,
  Part,
  TextPart,
} from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';

/** A part that a message of the user, the system or a tool can hold. */
export type EncodablePart = TextPart | ImagePart | DocumentPart | AudioPart;

/** The name of a document without one. Hosts require a name in addition to the data. */
const DEFAULT_NAME = 'document.pdf';

const AUDIO_FORMATS: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

/** The separator between texts that the client sent as separate parts. */
const TEXT_GAP = '\n\n';

/** Reports whether a part can be content of a message that is not the model's. */
export const isContent = (part: Part): part is EncodablePart =>
  part.kind === 'text' || part.kind === 'image' || part.kind === 'document' || part.kind === 'audio';

/**
 * Encodes content. Text alone becomes a string, since many hosts accept text only in that form. Anything else
 * becomes a list.
 */
export function encodeContent(parts: readonly EncodablePart[], notes: EncodeNotes): string | object[] {
  for (const part of parts) if ('cache' in part && part.cache) notes.lose('cache-breakpoint');
  const items = parts.flatMap((part) => encodeItem(part, notes) ?? []);
  const texts = items.flatMap((item) => ('text' in item ? [item.text] : []));
  return texts.length === items.length ? texts.join(TEXT_GAP) : items;
}

type Item =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: object }
  | { type: 'input_audio'; input_audio: object }
  | { type: 'file'; file: object };

function encodeItem(part: EncodablePart, notes: EncodeNotes): Item | undefined {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? undefined : { type: 'text', text: part.text };
    case 'image':
      return encodeImage(part, notes);
    case 'document':
      return encodeDocument(part, notes);
    case 'audio':
      return encodeAudio(part, notes);
  }
}

/** Refuses a source and returns no item for it. `form`: what the model does not accept. */
function refuse(notes: EncodeNotes, source: MediaSource, form: string): undefined {
  refuseMedia(notes, source, { problem: `the chosen model does not accept ${form}; send base64 data` });
  return undefined;
}

const dataUrl = ({ mediaType, data }: { mediaType: string; data: string }) =>
  `data:${mediaType};base64,${data}`;

function encodeImage({ source, detail }: ImagePart, notes: EncodeNotes): Item | undefined {
  if (source.kind !== 'base64' && source.kind !== 'url') return refuse(notes, source, 'an image by file id');
  const url = source.kind === 'url' ? source.url : dataUrl(source);
  return { type: 'image_url', image_url: { url, ...(detail && { detail }) } };
}

/** Encodes a document. A text document becomes text that begins with its name. */
function encodeDocument(part: DocumentPart, notes: EncodeNotes): Item | undefined {
  const { source, filename, title, context, citable } = part;
  if (citable) notes.lose('citation');
  if (context !== undefined) notes.lose('document-context');
  const name = filename ?? title;
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: name === undefined ? source.text : `${name}\n${source.text}` };
    case 'url':
      return refuse(notes, source, 'a document by URL');
    case 'file':
      return { type: 'file', file: { file_id: source.fileId } };
    case 'base64':
      return { type: 'file', file: { filename: name ?? DEFAULT_NAME, file_data: dataUrl(source) } };
  }
}

function encodeAudio({ source }: AudioPart, notes: EncodeNotes): Item | undefined {
  const format = source.kind === 'base64' ? lookUp(AUDIO_FORMATS, source.mediaType) : undefined;
  if (source.kind !== 'base64' || format === undefined)
    return refuse(notes, source, 'audio other than wav or mp3');
  return { type: 'input_audio', input_audio: { data: source.data, format } };
}
