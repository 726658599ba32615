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

export type InputContentPart = TextPart | ImagePart | DocumentPart | AudioPart;

export const isInputContent = (part: Part): part is InputContentPart =>
  part.kind === 'text' || part.kind === 'image' || part.kind === 'document' || part.kind === 'audio';

/** Encodes a part as the content of a message or of a tool's output. */
export function encodeInputContent(part: InputContentPart, notes: EncodeNotes): unknown {
  if (part.kind !== 'audio' && part.cache) notes.lose('cache-breakpoint');
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      // Hosts that follow the SDK's types require a detail.
      return { type: 'input_image', ...imageSource(part.source), detail: part.detail ?? 'auto' };
    case 'document':
      return encodeDocument(part, notes);
    case 'audio':
      return encodeAudio(part, notes);
  }
}

const dataUrl = (mediaType: string, data: string): string => `data:${mediaType};base64,${data}`;

function imageSource(source: MediaSource) {
  if (source.kind === 'base64') return { image_url: dataUrl(source.mediaType, source.data) };
  return source.kind === 'file' ? { file_id: source.fileId } : { image_url: addressOf(source) };
}

const addressOf = (source: MediaSource): string => (source.kind === 'url' ? source.url : '');

function encodeDocument(part: DocumentPart, notes: EncodeNotes): unknown {
  const { source, context, title, filename = title, citable } = part;
  if (context !== undefined || (title !== undefined && title !== filename)) notes.lose('document-context');
  if (citable) notes.lose('citation');
  if (source.kind === 'file') return { type: 'input_file', file_id: source.fileId };
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  const [mediaType, data, name] =
    source.kind === 'text'
      ? ['text/plain', Buffer.from(source.text).toString('base64'), 'document.txt']
      : [source.mediaType, source.data, 'document.pdf'];
  // The vendor refuses data without a file name.
  return { type: 'input_file', filename: filename ?? name, file_data: dataUrl(mediaType!, data!) };
}

const audioFormats: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

function encodeAudio({ source }: AudioPart, notes: EncodeNotes): unknown {
  const format = source.kind === 'base64' ? lookUp(audioFormats, source.mediaType) : undefined;
  if (source.kind !== 'base64' || format === undefined) {
    refuseMedia(notes, source, {
      problem: 'the chosen model accepts only mp3 and wav data',
      code: 'route_not_qualified',
    });
    return undefined;
  }
  return { type: 'input_audio', input_audio: { data: source.data, format } };
}
