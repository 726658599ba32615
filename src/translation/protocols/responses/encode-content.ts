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

type InputContentPart = TextPart | ImagePart | DocumentPart | AudioPart;

const audioFormats: Readonly<Record<string, 'mp3' | 'wav'>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

/** Reports whether a part of a user or a system is a content of a message, and not an item. */
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
  if (source.kind === 'file') return { file_id: source.fileId };
  return { image_url: source.kind === 'url' ? source.url : '' }; // no image is a text
}

function encodeDocument(part: DocumentPart, notes: EncodeNotes): unknown {
  const { source, context, title, filename = title, citable } = part;
  if (context !== undefined || (title !== undefined && title !== filename)) notes.lose('document-context');
  if (citable) notes.lose('citation');
  if (source.kind === 'file') return { type: 'input_file', file_id: source.fileId };
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url };
  // The vendor refuses data without a file name.
  if (source.kind === 'base64') {
    const { mediaType, data } = source;
    return { type: 'input_file', filename: filename ?? 'document.pdf', file_data: dataUrl(mediaType, data) };
  }
  const data = Buffer.from(source.text).toString('base64');
  return { type: 'input_file', filename: filename ?? 'document.txt', file_data: dataUrl('text/plain', data) };
}

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
