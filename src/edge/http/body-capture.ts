import type { AnswerCapture } from './answer-capture.ts';
import { asWritten, isWhole } from './as-written.ts';
import type { BodyPiece, ReplyBody } from './reply.ts';

export type CapturedBodies = { request: string; answer: string; isRequestCut: boolean; isAnswerCut: boolean };

const decoder = new TextDecoder();

/**
 * Copies the start of a request and of its answer, where the operator keeps them. Other exchanges have no
 * capture.
 */
export class BodyCapture implements AnswerCapture {
  readonly #request: string;
  readonly #maxCharacters: number;
  readonly #done: (captured: CapturedBodies) => void;
  readonly #pieces: string[] = [];
  #length = 0;
  #isCut = false;

  /** `maxCharacters` is the number of characters that are kept of each text. */
  constructor(request: string, maxCharacters: number, done: (captured: CapturedBodies) => void) {
    this.#request = request;
    this.#maxCharacters = maxCharacters;
    this.#done = done;
  }

  watch(body: ReplyBody): ReplyBody {
    if (isWhole(body)) {
      if (body !== null) this.#add(body);
      return body;
    }
    const write = asWritten(body);
    return (writer) =>
      write({
        write: (piece) => {
          this.#add(piece);
          return writer.write(piece);
        },
      });
  }

  end(): void {
    const { length } = this.#request;
    this.#done({
      request: this.#request.slice(0, this.#maxCharacters),
      answer: this.#pieces.join(''),
      isRequestCut: length > this.#maxCharacters,
      isAnswerCut: this.#isCut,
    });
  }

  #add(piece: BodyPiece): void {
    const space = this.#maxCharacters - this.#length;
    if (space <= 0) {
      this.#isCut ||= piece.length > 0;
      return;
    }
    // A character has at least one byte, so this many bytes reach the limit.
    const text = typeof piece === 'string' ? piece : decoder.decode(piece.subarray(0, space * 4));
    const fittingText = text.slice(0, space);
    this.#isCut ||= fittingText.length < text.length;
    this.#pieces.push(fittingText);
    this.#length += fittingText.length;
  }
}
