import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { lookUp } from '../../base/lib/records.ts';

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const withBrotli = promisify(brotliCompress);
export const withGzip = promisify(gzip);

export type SentEncoding = 'br' | 'gzip' | 'plain';
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A file in memory. It is compressed at the first request for an encoding, once, in the threads of the
 * runtime.
 */
export class CompressedFile {
  readonly type: string;
  readonly #plain: Bytes;
  readonly #encoded = new Map<SentEncoding, Promise<Bytes>>();

  constructor(name: string, plain: Bytes) {
    this.type = lookUp(types, name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream';
    this.#plain = plain;
  }

  async in(encoding: SentEncoding): Promise<Bytes> {
    if (encoding === 'plain') return this.#plain;
    const encoded = this.#encoded.get(encoding) ?? compress[encoding](this.#plain);
    this.#encoded.set(encoding, encoded);
    // A failure may have a temporary cause, such as a lack of memory.
    encoded.catch(() => this.#encoded.delete(encoding));
    return encoded;
  }
}

const compress = {
  gzip: async (plain: Bytes): Promise<Bytes> => new Uint8Array(await withGzip(plain, { level: 9 })),
  async br(plain: Bytes): Promise<Bytes> {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
    };
    return new Uint8Array(await withBrotli(plain, { params }));
  },
};

/** Returns the smallest encoding that an `accept-encoding` header allows. */
export function chooseEncoding(
  header: string | null,
  offered: readonly SentEncoding[] = ['br', 'gzip'],
): SentEncoding {
  const accepted = new Map<string, boolean>(
    (header ?? '').split(',').map((coding) => {
      const [name = '', weight = ''] = coding.split(';');
      return [name.trim().toLowerCase(), !/^\s*q=0(\.0*)?\s*$/.test(weight)];
    }),
  );
  return offered.find((name) => accepted.get(name)) ?? 'plain';
}
