import { Refusal } from '../../base/errors/refusal.ts';
import { announcedLength } from './announced-length.ts';
import type { BodyGate } from './body-gate.ts';
import { brokenOff } from './broken-off.ts';
import { contentDecoder } from './content-decoder.ts';
import type { Exchange } from './exchange.ts';
import { readCounted, tooLarge } from './read-counted.ts';

/** Reads a body of up to `maxBytes` bytes, before and after its decoding. */
export type RawBodyReader = (exchange: Exchange, maxBytes: number) => Promise<Uint8Array | Refusal>;

/**
 * Creates the reader of bodies that are not parsed in turns. They share the memory budget and the times of
 * JSON bodies.
 */
export function createRawBodyReader(gate: BodyGate): RawBodyReader {
  return async (exchange, maxBytes) => {
    const { headers } = exchange.request;
    const decode = contentDecoder(headers);
    if (decode instanceof Refusal) return decode;
    const length = announcedLength(headers);
    if (length !== undefined && length > maxBytes) return tooLarge(maxBytes);
    try {
      return await readCounted({ exchange, gate, decode, length, maxBytes });
    } catch (error) {
      return brokenOff(error);
    }
  };
}
