import { CompressedFile, type SentEncoding } from '../../edge/http/compressed-file.ts';
import type { ServedPage } from './served-page.ts';

/** Clients choose the address with the Host header. Beyond these addresses, pages are sent uncompressed. */
const MAX_COMPRESSED = 4;

type Bytes = Uint8Array<ArrayBuffer>;
/** The page with the address of the server. */
type AddressedPage = { origin: string; body: Bytes; etag: string };

/** An encoded page with a gap for the server's address, which differs between clients. */
export class PreparedPage {
  readonly headers: ServedPage['headers'];
  readonly #pieces: readonly Buffer[];
  readonly #version: string;
  /** The page for the most recent address. */
  #latest: AddressedPage | undefined;
  /** The pages for the first addresses. Each one is compressed once for an encoding. */
  readonly #compressed = new Map<string, CompressedFile>();

  constructor({ text, headers }: ServedPage) {
    this.headers = headers;
    this.#pieces = text.split('{origin}').map((piece) => Buffer.from(piece));
    this.#version = Bun.hash(text).toString(36);
  }

  /** Returns the page for an address. The caller must have escaped the address for the page's format. */
  at(origin: string): AddressedPage {
    if (this.#latest?.origin !== origin) this.#latest = this.#make(origin);
    return this.#latest;
  }

  /** Returns the encoding that the page is sent with, and its bytes. */
  async bytesOf({ origin, body }: AddressedPage, wanted: SentEncoding): Promise<[SentEncoding, Bytes]> {
    let file = this.#compressed.get(origin);
    if (!file && this.#compressed.size < MAX_COMPRESSED) {
      file = new CompressedFile('', body);
      this.#compressed.set(origin, file);
    }
    return file ? [wanted, await file.in(wanted)] : ['plain', body];
  }

  #make(origin: string): AddressedPage {
    const address = Buffer.from(origin);
    const pieces = this.#pieces.flatMap((piece, index) => (index === 0 ? [piece] : [address, piece]));
    const body = new Uint8Array(Buffer.concat(pieces));
    return { origin, body, etag: `"${this.#version}-${Bun.hash(origin).toString(36)}"` };
  }
}
