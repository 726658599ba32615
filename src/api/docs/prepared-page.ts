import type { HtmlPage } from './page-frame.ts';

type Made = { origin: string; body: Uint8Array<ArrayBuffer>; etag: string };

/** An encoded page with a gap for the server's address, which differs between clients. */
export class PreparedPage {
  readonly headers: HtmlPage['headers'];
  readonly #pieces: readonly Buffer[];
  readonly #version: string;
  /** The page for the most recent address. */
  #made: Made | undefined;

  constructor({ text, headers }: HtmlPage) {
    this.headers = headers;
    this.#pieces = text.split('{origin}').map((piece) => Buffer.from(piece));
    this.#version = Bun.hash(text).toString(36);
  }

  /** Returns the page for an address. The caller must have escaped the address for the page's format. */
  at(origin: string): Made {
    if (this.#made?.origin !== origin) this.#made = this.#make(origin);
    return this.#made;
  }

  #make(origin: string): Made {
    const address = Buffer.from(origin);
    const pieces = this.#pieces.flatMap((piece, index) => (index === 0 ? [piece] : [address, piece]));
    const body = new Uint8Array(Buffer.concat(pieces));
    return { origin, body, etag: `"${this.#version}-${Bun.hash(origin).toString(36)}"` };
  }
}
