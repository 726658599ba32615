import { Refusal } from '../../base/errors/refusal.ts';
import { UNCOUNTED_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { type BodyReader, parseBytes } from './create-body-reader.ts';
import type { RawBodyReader } from './create-raw-body-reader.ts';

/**
 * Creates the reader of JSON bodies that anybody can send without a key or a session. They hold no memory
 * that other requests wait for, and a few compressed bytes cannot become many.
 */
export const createSmallBodyReader =
  (readBytes: RawBodyReader): BodyReader =>
  async (exchange) => {
    const bytes = await readBytes(exchange, UNCOUNTED_BODY_BYTES);
    return bytes instanceof Refusal ? bytes : parseBytes(bytes);
  };
