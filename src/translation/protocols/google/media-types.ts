import { lookUp } from '../../../base/lib/records.ts';

/** Media types by file extension. An address names no media type, and this vendor expects one. */
const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  heic: 'image/heic',
  gif: 'image/gif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'text/html',
  csv: 'text/csv',
  md: 'text/markdown',
};

/** Files of this vendor have addresses too. It cannot read file ids of other vendors. */
export const OWN_ADDRESS = /^(https?:\/\/|gs:\/\/|files\/)/;

/** Returns the media type for the extension of an address. */
export const mediaTypeOf = (address: string): string | undefined =>
  lookUp(mediaTypes, /\.(\w+)(?:[?#].*)?$/.exec(address)?.[1]?.toLowerCase());
