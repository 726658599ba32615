import { Refusal } from '../../base/errors/refusal.ts';
import { announcedLength } from './announced-length.ts';
import type { BodyGate } from './body-gate.ts';
import { brokenOff } from './broken-off.ts';
import { contentDecoder } from './content-decoder.ts';
import type { Exchange } from './exchange.ts';
import { readCounted } from './read-counted.ts';

/** Reads a body that is not JSON, of up to `maxBytes` bytes after its decoding. */
export type RawBodyReader = (exchange: Exchange, maxBytes: number) => Promise<Uint8Array | Refusal>;

/**
 * Creates the reader of bodies that are not JSON. They share the memory budget and the times of JSON bodies.
 */
export function createRawBodyReader(gate: BodyGate): RawBodyReader {
  return async (exchange, maxBytes) => {
    const { headers } = exchange.request;
    const decode = contentDecoder(headers);
    if (decode instanceof Refusal) return decode;
    const length = announcedLength(headers);
    if (length !== undefined && length > maxBytes) return tooManyBytes(maxBytes);
    try {
      const bytes = await readCounted({ exchange, gate, decode, length });
      return bytes instanceof Refusal || bytes.byteLength <= maxBytes ? bytes : tooManyBytes(maxBytes);
    } catch (error) {
      return brokenOff(error);
    }
  };
}

const tooManyBytes = (maxBytes: number): Refusal =>
  new Refusal('body_too_large', { message: `The request body is larger than ${maxBytes / 1_024} KB.` });
