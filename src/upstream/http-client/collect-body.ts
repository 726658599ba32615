import { textOfBytes } from './body-queue.ts';
import { type AnswerText, LARGE_ANSWER_BYTES, type WholeBody } from './http-answer.ts';

/** The reading of a body that is collected in memory. */
export type BodyReading = {
  /** Returns the next piece, or undefined after the last. */
  next(): Promise<Uint8Array | undefined>;
  /** Books memory for a piece. Throws if there is none. */
  book(bytes: number): Promise<void>;
  cancel(): void;
};

/** Collects a body as text, or only its first bytes without waiting for the rest. */
export async function collectText(reading: BodyReading, maxBytes: number): Promise<AnswerText> {
  const { pieces, isCut } = await collectPieces(reading, maxBytes);
  return { text: textOfBytes(Buffer.concat(pieces)), isCut };
}

/** Collects a body. A large one is returned in pieces, since decoding its text would block other requests. */
export async function collectWhole(reading: BodyReading, maxBytes: number): Promise<WholeBody> {
  const { pieces, isCut } = await collectPieces(reading, maxBytes);
  const byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  if (!isCut && byteLength >= LARGE_ANSWER_BYTES) return { pieces };
  return { text: textOfBytes(Buffer.concat(pieces)), isCut };
}

async function collectPieces(
  { next, book, cancel }: BodyReading,
  maxBytes: number,
): Promise<{ pieces: Uint8Array[]; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let remainingBytes = maxBytes;
  for (let piece = await next(); piece; piece = await next()) {
    pieces.push(piece.subarray(0, remainingBytes));
    remainingBytes -= piece.byteLength;
    if (remainingBytes < 0) {
      cancel();
      return { pieces, isCut: true };
    }
    await book(piece.byteLength);
  }
  return { pieces, isCut: false };
}
