import { type Origin, originOf } from './origin.ts';

/** What of a request is the same each time: where it goes, and its head up to the length of its body. */
export type RequestHead = {
  url: string;
  headers: Readonly<Record<string, string>>;
  origin: Origin;
  text: string;
  /** Else each character of the text is a byte (Latin-1), as no string is written. */
  isAscii: boolean;
};

/** They frame the message: ours to say. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Latin-1 at most: of a character beyond it a byte would be sent that may be a line break. */
const VALUE = /^[\t -~\x80-\xff]*$/;

/** The fields beside `host` and the body's length; of several whose names differ in case alone the last counts. */
export function prepareRequestHead(url: string, fields: Readonly<Record<string, string>>): RequestHead {
  const address = new URL(url);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) headers[name.toLowerCase()] = value;
  for (const name of FRAMING) delete headers[name];
  if (address.username !== '') headers.authorization ??= credentialsIn(address);
  const { host = address.host, ...others } = headers;
  const lines = Object.entries({ host, ...others }).map(([name, value]) => formatField(name, value));
  const path = address.pathname + address.search;
  const text = `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: `;
  return { url, headers, origin: originOf(address), text, isAscii: Buffer.byteLength(text) === text.length };
}

function formatField(name: string, value: string): string {
  if (!NAME.test(name) || !VALUE.test(value)) throw new TypeError('a header that is none');
  return `${name}: ${value}`;
}

function credentialsIn({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
