import { otlp } from './otlp-fields.ts';
import { readProtobuf } from './read-protobuf.ts';

const MAX_MESSAGE = 200;

export type PartialSuccess = { rejected: number; message: string };

/** Reads what a receiver has refused of an export. An answer of a different form says nothing. */
export function readPartialSuccess(answer: Uint8Array): PartialSuccess {
  const success: PartialSuccess = { rejected: 0, message: '' };
  try {
    for (const { number, content } of readProtobuf(answer))
      if (number === otlp.response.partialSuccess && content) readPart(content, success);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return success;
}

function readPart(bytes: Uint8Array, into: PartialSuccess): void {
  for (const { number, value, content } of readProtobuf(bytes)) {
    if (number === otlp.partialSuccess.rejected) into.rejected = value ?? into.rejected;
    else if (number === otlp.partialSuccess.message && content)
      into.message = new TextDecoder().decode(content).slice(0, MAX_MESSAGE);
  }
}
