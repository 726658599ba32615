import { lowerCaseNames } from './lower-case-names.ts';
import { type Origin, originOf } from './origin.ts';

/** The repeated part of a request: its URL, and its head up to the length of the body. */
export type RequestHead = {
  url: string;
  headers: Readonly<Record<string, string>>;
  origin: Origin;
  text: string;
  /** If false, the text is Latin-1 with one byte per character, and must not be written as UTF-8. */
  isAscii: boolean;
};

/** Fields that frame the message, which only the HTTP client sets. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Latin-1 only. A character beyond it would be cut to one byte, which could be a line break. */
const VALUE = /^[\t -~\x80-\xff]*$/;

/**
 * Builds the head from all fields except `host` and the body's length. If names differ only in case, the last
 * field counts.
 */
export function prepareRequestHead(url: string, fields: Readonly<Record<string, string>>): RequestHead {
  const address = new URL(url);
  const headers = lowerCaseNames(fields);
  for (const name of FRAMING) delete headers[name];
  if (address.username !== '') headers.authorization ??= credentialsIn(address);
  const { host = address.host, ...others } = headers;
  const lines = Object.entries({ host, ...others }).map(([name, value]) => formatField(name, value));
  const path = address.pathname + address.search;
  const text = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: `;
  return { url, headers, origin: originOf(address), text, isAscii: Buffer.byteLength(text) === text.length };
}

function formatField(name: string, value: string): string {
  if (!NAME.test(name) || !VALUE.test(value)) throw new TypeError('invalid header');
  return `${name}: ${value}`;
}

function credentialsIn({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
