import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file in memory, in every encoding that it is sent in. */
export type CompressedFile = {
  type: string;
  plain: Uint8Array<ArrayBuffer>;
  gzip: Uint8Array<ArrayBuffer>;
  br: Uint8Array<ArrayBuffer>;
};

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const withBrotli = promisify(brotliCompress);
const withGzip = promisify(gzip);

/** Compresses a file once, in the threads of the runtime. */
export async function compressFile(name: string, plain: Uint8Array<ArrayBuffer>): Promise<CompressedFile> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  const [br, zipped] = await Promise.all([withBrotli(plain, { params }), withGzip(plain, { level: 9 })]);
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { type, plain, br: new Uint8Array(br), gzip: new Uint8Array(zipped) };
}

type SentEncoding = 'br' | 'gzip' | 'plain';

/** The smallest encoding that an `accept-encoding` header allows. */
export function chosenEncoding(header: string | null): SentEncoding {
  const accepted = new Map(
    (header ?? '').split(',').map((one) => {
      const [name = '', weight = ''] = one.split(';');
      return [name.trim().toLowerCase(), !/^\s*q=0(\.0*)?\s*$/.test(weight)];
    }),
  );
  return (['br', 'gzip'] as const).find((name) => accepted.get(name)) ?? 'plain';
}
