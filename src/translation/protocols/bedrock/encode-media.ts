import { lookUp } from '../../../base/lib/records.ts';
import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../../canonical/part.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseMedia } from '../../encoding/refuse-media.ts';
import type { DocumentNames } from './document-names.ts';

export type BedrockBlock = Record<string, unknown>;
export type MediaContext = { notes: EncodeNotes; documentNames: DocumentNames };

const imageFormats: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

const documentFormats: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/json': 'txt',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
};

const audioFormats: Record<string, string> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/aac': 'aac',
  'audio/opus': 'opus',
  'audio/webm': 'webm',
};

const plainType = (mediaType: string): string => mediaType.split(';')[0]!.trim().toLowerCase();

export function encodeImage({ source, detail }: ImagePart, { notes }: MediaContext): BedrockBlock[] {
  if (detail !== undefined && detail !== 'auto') notes.lose('image-detail');
  return encodeAs(
    'image',
    formatOf(source, (type) => lookUp(imageFormats, type)),
    { source, notes },
  );
}

export const encodeAudio = ({ source }: AudioPart, { notes }: MediaContext): BedrockBlock[] =>
  encodeAs(
    'audio',
    formatOf(source, (type) => lookUp(audioFormats, type)),
    { source, notes },
  );

export function encodeDocument(part: DocumentPart, { notes, documentNames }: MediaContext): BedrockBlock[] {
  const format = formatOf(
    part.source,
    (type) => lookUp(documentFormats, type) ?? (type.startsWith('text/') ? 'txt' : undefined),
  );
  const [block] = encodeAs('document', format, { source: part.source, notes });
  if (block === undefined) return [];
  const extras = {
    name: documentNames.nameFor(part.title ?? part.filename),
    ...(part.context && { context: part.context }),
    ...(part.citable && { citations: { enabled: true } }),
  };
  return [{ document: { ...(block.document as object), ...extras } }];
}

function formatOf(
  source: MediaSource,
  formatFor: (mediaType: string) => string | undefined,
): string | undefined {
  if (source.kind === 'text') return formatFor('text/plain');
  if (source.kind === 'base64') return formatFor(plainType(source.mediaType));
  return /\.(\w+)$/.exec(source.kind === 'url' ? source.url : source.fileId)?.[1]?.toLowerCase();
}

/** Encodes media from bytes or from an S3 address. This wire accepts no other source. */
function encodeAs(
  kind: 'image' | 'document' | 'audio',
  format: string | undefined,
  { source, notes }: { source: MediaSource; notes: EncodeNotes },
): BedrockBlock[] {
  const place = placeOf(source);
  if (place !== undefined && format !== undefined) return [{ [kind]: { format, source: place } }];
  const problem =
    place === undefined
      ? `the chosen model does not accept this ${kind} by URL or file id; send base64 data`
      : `the chosen model does not accept this type of ${kind}`;
  refuseMedia(notes, source, { problem });
  return [];
}

function placeOf(source: MediaSource): object | undefined {
  if (source.kind === 'base64') return { bytes: source.data };
  if (source.kind === 'text') return { bytes: Buffer.from(source.text).toString('base64') };
  const uri = source.kind === 'url' ? source.url : source.fileId;
  return uri.startsWith('s3://') ? { s3Location: { uri } } : undefined;
}
