import { textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { MediaSource } from '../../canonical/part.ts';
import { KEPT_ADDRESS } from '../../members/kept-address.ts';
import type { MediaPart } from './note-media-losses.ts';
import { standardBase64 } from './standard-base64.ts';

/** Media in the request itself, as the schema describes them. */
type InlineData = { mimeType: string; data: string };

/** Addresses of images, for files without a media type. */
const IMAGE_ADDRESS = /\.(?:png|jpe?g|webp|gif|heic|heif)(?:[?#]|$)/i;

/** Decodes the media of a part. Returns undefined for a part without media. */
export function decodeMedia({ inlineData, fileData }: Fields): MediaPart | undefined {
  if (isObject(inlineData)) {
    const { mimeType: mediaType, data } = inlineData as InlineData;
    return mediaPart(mediaType, { kind: 'base64', mediaType, data: standardBase64(data) });
  }
  if (!isObject(fileData)) return undefined;
  const address = fileData['fileUri'] as string; // as the schema says
  const mediaType = textOf(fileData['mimeType']) ?? (IMAGE_ADDRESS.test(address) ? 'image/*' : '');
  const isKept = KEPT_ADDRESS.test(address);
  return mediaPart(mediaType, isKept ? { kind: 'file', fileId: address } : { kind: 'url', url: address });
}

function mediaPart(mediaType: string, source: MediaSource): MediaPart {
  if (mediaType.startsWith('image/')) return { kind: 'image', source };
  if (mediaType.startsWith('audio/')) return { kind: 'audio', source };
  return { kind: 'document', source };
}
