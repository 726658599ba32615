import { lookUp } from '../../../base/lib/records.ts';
import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import type { DocumentNames } from './document-names.ts';

/** A block of content, as an object with one member that names its kind. */
export type BedrockBlock = Record<string, unknown>;
/** Collects the notes and the document names of one request. */
export type MediaContext = { notes: EncodeNotes; documentNames: DocumentNames };

type MediaKind = 'image' | 'document' | 'audio';

/** The vendor's formats by media type. */
const formats: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  image: {
    'image/png': 'png',
    'image/jpeg': 'jpeg',
    'image/jpg': 'jpeg',
    'image/gif': 'gif',
    'image/webp': 'webp',
  },
  document: {
    'application/pdf': 'pdf',
    'application/json': 'txt',
    'application/msword': 'doc',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'text/csv': 'csv',
    'text/html': 'html',
    'text/markdown': 'md',
  },
  audio: {
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/aac': 'aac',
    'audio/opus': 'opus',
    'audio/webm': 'webm',
  },
};

/** Encodes an image. This wire has no levels of detail. */
export function encodeImage({ source, detail }: ImagePart, { notes }: MediaContext): BedrockBlock[] {
  if (detail !== undefined && detail !== 'auto') notes.lose('image-detail');
  const image = encodeMedia('image', source, notes);
  return image ? [{ image }] : [];
}

export function encodeAudio({ source }: AudioPart, { notes }: MediaContext): BedrockBlock[] {
  const audio = encodeMedia('audio', source, notes);
  return audio ? [{ audio }] : [];
}

/** Encodes a document. This wire requires a name for each. */
export function encodeDocument(part: DocumentPart, { notes, documentNames }: MediaContext): BedrockBlock[] {
  const media = encodeMedia('document', part.source, notes);
  if (media === undefined) return [];
  const document = {
    ...media,
    name: documentNames.nameFor(part.title ?? part.filename),
    ...(part.context && { context: part.context }),
    ...(part.citable && { citations: { enabled: true } }),
  };
  return [{ document }];
}

type Media = { format: string; source: object };

/** Encodes media from bytes or from an S3 address. This wire accepts no other source. */
function encodeMedia(kind: MediaKind, source: MediaSource, notes: EncodeNotes): Media | undefined {
  const format = formatOf(kind, source);
  const encodedSource = encodeSource(source);
  if (encodedSource !== undefined && format !== undefined) return { format, source: encodedSource };
  const problem =
    encodedSource === undefined
      ? `the chosen model does not accept this ${kind} by URL or file id; send base64 data`
      : `the chosen model does not accept this type of ${kind}`;
  refuseMedia(notes, source, { problem });
  return undefined;
}

function formatOf(kind: MediaKind, source: MediaSource): string | undefined {
  switch (source.kind) {
    case 'text':
      return formatOfType(kind, 'text/plain');
    case 'base64':
      return formatOfType(kind, plainType(source.mediaType));
    case 'url':
      return extensionOf(source.url);
    case 'file':
      return extensionOf(source.fileId);
  }
}

/** Returns the format of a media type. Every text without a format of its own is a plain document. */
function formatOfType(kind: MediaKind, mediaType: string): string | undefined {
  const isText = kind === 'document' && mediaType.startsWith('text/');
  return lookUp(formats[kind], mediaType) ?? (isText ? 'txt' : undefined);
}

/** Returns a media type without its parameters, in lower case. */
const plainType = (mediaType: string): string => mediaType.replace(/;.*/s, '').trim().toLowerCase();

const extensionOf = (address: string): string | undefined => /\.(\w+)$/.exec(address)?.[1]?.toLowerCase();

function encodeSource(source: MediaSource): object | undefined {
  switch (source.kind) {
    case 'text':
      return { bytes: Buffer.from(source.text).toString('base64') };
    case 'base64':
      return { bytes: source.data };
    case 'url':
      return s3Location(source.url);
    case 'file':
      return s3Location(source.fileId);
  }
}

const s3Location = (uri: string): object | undefined =>
  uri.startsWith('s3://') ? { s3Location: { uri } } : undefined;
