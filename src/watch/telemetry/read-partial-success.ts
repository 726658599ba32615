import { otlp } from './otlp-fields.ts';

export type PartialSuccess = { rejected: number; message: string };

type Field = { number: number; value: number | Uint8Array };

/** Reads the fields of a message. Throws a RangeError if it is cut. */
function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message is cut');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = tag & 7;
    if (type !== 0 && type !== 2) throw new RangeError('the message has an unknown type');
    const value = varint();
    if (type === 0) yield { number: tag >>> 3, value };
    else {
      yield { number: tag >>> 3, value: bytes.subarray(at, at + value) };
      at += value;
    }
  }
}

/** Reads what a receiver has refused of an export. An answer of a different form says nothing. */
export function readPartialSuccess(answer: Uint8Array): PartialSuccess {
  const read: PartialSuccess = { rejected: 0, message: '' };
  try {
    for (const { number, value } of fieldsOf(answer))
      if (number === otlp.response.partialSuccess && typeof value !== 'number') readPart(value, read);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return read;
}

function readPart(bytes: Uint8Array, into: PartialSuccess): void {
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === otlp.partialSuccess.rejected && typeof value === 'number') into.rejected = value;
    else if (number === otlp.partialSuccess.message && typeof value !== 'number')
      into.message = new TextDecoder().decode(value).slice(0, 200);
  }
}
