import type { HtmlPage } from './page-frame.ts';

type Made = { origin: string; body: Uint8Array<ArrayBuffer>; etag: string };

/** A page as it is sent: encoded once, and cut where the server's address stands, which each client may have another of. */
export class PreparedPage {
  readonly headers: HtmlPage['headers'];
  readonly #pieces: readonly Buffer[];
  readonly #version: string;
  /** For the address that was asked for last. */
  #made: Made | undefined;

  constructor({ text, headers }: HtmlPage) {
    this.headers = headers;
    this.#pieces = text.split('{origin}').map((piece) => Buffer.from(piece));
    this.#version = Bun.hash(text).toString(36);
  }

  /** With the address as it may stand in the page. */
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
