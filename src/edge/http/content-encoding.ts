import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Refusal } from '../../base/errors/refusal.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';

type Decoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const gunzip = promisify(zlib.gunzip) as Decoder;
const inflate = promisify(zlib.inflate) as Decoder;
const inflateRaw = promisify(zlib.inflateRaw) as Decoder;

/**
 * The decoders run on the thread pool and stop at the limit, so a decompression bomb costs
 * neither memory nor event loop time.
 */
const decoders: Record<string, Decoder> = {
  identity: async (bytes) => bytes,
  gzip: gunzip,
  'x-gzip': gunzip,
  br: promisify(zlib.brotliDecompress) as Decoder,
  deflate: inflateEither,
  zstd: promisify(zlib.zstdDecompress) as Decoder,
};

/**
 * Decodes `deflate`, which means the zlib format. Some clients send raw deflate data; the low four bits of
 * the first byte distinguish them.
 */
function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number }): Promise<Uint8Array> {
  const wrapped = ((bytes[0] ?? 0) & 0x0f) === 8;
  return wrapped ? inflate(bytes, options) : inflateRaw(bytes, options);
}

/** Finds the decoder of a coding. Names of codings are case-insensitive. */
const decoderOf = (encoding: string): Decoder | undefined => lookUp(decoders, encoding.toLowerCase());

export const isKnownEncoding = (encoding: string): boolean => decoderOf(encoding) !== undefined;

export async function decodeContent(
  encoding: string,
  bytes: Uint8Array,
  maxOutputLength: number,
): Promise<Uint8Array | Refusal> {
  try {
    return await decoderOf(encoding)!(bytes, { maxOutputLength });
  } catch (error) {
    if (codeOfError(error) === 'ERR_BUFFER_TOO_LARGE') return new Refusal('body_too_large');
    return new Refusal('invalid_request', { message: `The body is not valid ${encoding} data.` });
  }
}
