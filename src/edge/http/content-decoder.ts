import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Refusal } from '../../base/errors/refusal.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';

type Decompress = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const gunzip = promisify(zlib.gunzip) as Decompress;
const inflate = promisify(zlib.inflate) as Decompress;
const inflateRaw = promisify(zlib.inflateRaw) as Decompress;

/**
 * The decoders by the name of their coding. They run on the thread pool and stop at the limit, so a
 * decompression bomb costs neither memory nor event loop time.
 */
const decompressors: Readonly<Record<string, Decompress>> = {
  identity: async (bytes) => bytes,
  gzip: gunzip,
  'x-gzip': gunzip,
  br: promisify(zlib.brotliDecompress) as Decompress,
  deflate: inflateEither,
  zstd: promisify(zlib.zstdDecompress) as Decompress,
};

/**
 * Decodes `deflate`, which means the zlib format. Some clients send raw deflate data; the low four bits of
 * the first byte distinguish them.
 */
function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array> {
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8;
  return isZlib ? inflate(bytes, options) : inflateRaw(bytes, options);
}

/** Decodes a body of at most this many bytes, or refuses it. */
export type ContentDecoder = (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array | Refusal>;

/**
 * Returns the decoder for the `content-encoding` of a request, or a refusal of an unknown one. Returns
 * undefined if the body is sent as it is. Names of codings are case-insensitive.
 */
export function contentDecoder(headers: Headers): ContentDecoder | Refusal | undefined {
  const encoding = headers.get('content-encoding');
  if (!encoding) return undefined;
  const decompress = lookUp(decompressors, encoding.toLowerCase());
  if (decompress) return (bytes, maxBytes) => decode({ encoding, decompress }, bytes, maxBytes);
  return new Refusal('invalid_request', {
    message: `The content-encoding is not supported; use gzip, br, deflate, zstd or none.`,
  });
}

async function decode(
  { encoding, decompress }: { encoding: string; decompress: Decompress },
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | Refusal> {
  try {
    return await decompress(bytes, { maxOutputLength });
  } catch (error) {
    if (codeOfError(error) === 'ERR_BUFFER_TOO_LARGE') return new Refusal('body_too_large');
    return new Refusal('invalid_request', { message: `The body is not valid ${encoding} data.` });
  }
}
