export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 22 characters of 62 are 130 bits, over the 120 that ids must have at least. */
const ID_LENGTH = 22;
/** The largest multiple of 62 in a byte: what lies above would make the first characters likelier. */
const FAIR = 248;

/** Random base62 text from the system's secure source. A quarter more bytes than needed, since some are thrown away. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    const bytes = crypto.getRandomValues(new Uint8Array(length + (length >> 2)));
    for (let index = 0; index < bytes.length && text.length < length; index++) {
      if (bytes[index]! < FAIR) text += BASE62[bytes[index]! % 62];
    }
  }
  return text;
}

export const newId = (prefix: string): string => prefix + randomText(ID_LENGTH);
