import type { Field } from './field.ts';
import type { Media } from './prompt-part.ts';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const DATA_URL = /^data:([^;,]{0,200})[^,]{0,200},/i;

/** The facts about media in a request. */
export type MediaLabel = { kind: Media['kind']; mediaType: string; name?: string | undefined };

const labeled = ({ kind, mediaType, name }: MediaLabel): Media => ({
  kind,
  mediaType,
  ...(name && { name }),
});

/** Reads media that is base64 in the body. */
export function mediaFromBase64(label: MediaLabel, data: Field): Media {
  const text = data.text();
  if (text.length === 0 || !BASE64.test(text)) data.fail('invalid base64 data');
  return { ...labeled(label), bytes: base64Bytes(text) };
}

/** Reads media from a URL. A `data:` URL contains the bytes. Any other URL is reported and never fetched. */
export function mediaFromUrl(label: MediaLabel, url: Field): Media {
  const text = url.text();
  const head = DATA_URL.exec(text);
  if (head) {
    const data = text.slice(head[0].length);
    if (!BASE64.test(data)) url.fail('invalid base64 data');
    return { ...labeled(label), mediaType: head[1] || label.mediaType, bytes: base64Bytes(data) };
  }
  if (!/^(?:https?|gs|s3):\/\//.test(text)) url.fail('expected a data: or https: address');
  return mediaFromId(label, text);
}

/** Reads a reference to a file that is stored at the vendor. */
export const mediaFromId = (label: MediaLabel, id: string): Media => ({ ...labeled(label), source: id });

/** Reads a plain-text document. */
export const mediaFromText = (label: MediaLabel, text: string): Media => ({
  ...labeled(label),
  bytes: Buffer.byteLength(text),
  text,
});

const base64Bytes = (text: string): number => Math.floor((text.replace(/=+$/, '').length * 3) / 4);
