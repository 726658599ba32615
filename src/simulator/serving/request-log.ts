import { parseJson } from '../model/parse-json.ts';
export type ReceivedRequest = {
  method: string;
  /** The path with its query. Keys are redacted. */
  path: string;
  headers: Record<string, string>;
  /** The parsed JSON, or the text of any other body. */
  body: unknown;
};

type Entry = Omit<ReceivedRequest, 'body'> & { text: string };

const SECRETS = /^(?:authorization|x-api-key|x-goog-api-key|cookie|x-amz-security-token)$/;
/** The number of characters of a key that are kept, so that tests can recognise it. */
const SHOWN = 4;
/** The size limit. A hundred requests with large images would otherwise hold a gigabyte. */
const MAX_CHARACTERS = 4_000_000;

const redact = (value: string): string => `[redacted]${value.length > 2 * SHOWN ? value.slice(-SHOWN) : ''}`;

/** Keeps the last requests, for tests that check what reached the upstream. */
export class RequestLog {
  #entries: Entry[] = [];
  #characters = 0;

  constructor(readonly maxEntries: number) {}

  add(request: Request, text: string): void {
    const { pathname, searchParams } = new URL(request.url);
    if (searchParams.has('key')) searchParams.set('key', '[redacted]');
    const query = searchParams.size > 0 ? `?${searchParams}` : '';
    const headers: Record<string, string> = {};
    for (const [name, value] of request.headers) headers[name] = SECRETS.test(name) ? redact(value) : value;
    this.#entries.push({ method: request.method, path: pathname + query, headers, text });
    this.#characters += text.length;
    this.#trim();
  }

  list(): ReceivedRequest[] {
    return this.#entries.map(({ text, ...entry }) => ({ ...entry, body: parseJson(text) ?? text }));
  }

  #trim(): void {
    const tooMany = () => this.#entries.length > this.maxEntries;
    const tooLarge = () => this.#entries.length > 1 && this.#characters > MAX_CHARACTERS;
    while (tooMany() || tooLarge()) this.#characters -= this.#entries.shift()!.text.length;
  }
}
