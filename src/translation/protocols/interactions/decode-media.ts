import { textOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { AudioPart, DocumentPart, ImagePart, MediaSource } from '../../canonical/part.ts';
import { KEPT_ADDRESS } from '../../members/kept-address.ts';
import { standardBase64 } from '../google/standard-base64.ts';

type DecodedMedia = AudioPart | DocumentPart | ImagePart;

/** Decodes an image, a document or a sound. Returns undefined for other contents. */
export function decodeMedia(content: Fields): DecodedMedia | undefined {
  const { type } = content;
  if (type !== 'image' && type !== 'document' && type !== 'audio') return undefined;
  const source = sourceOf(content);
  return source && { kind: type, source };
}

function sourceOf({ data, uri, mime_type }: Fields): MediaSource | undefined {
  const encoded = textOf(data);
  if (encoded) return { kind: 'base64', mediaType: textOf(mime_type) ?? '', data: standardBase64(encoded) };
  const address = textOf(uri);
  if (!address) return undefined;
  return KEPT_ADDRESS.test(address) ? { kind: 'file', fileId: address } : { kind: 'url', url: address };
}
