import type { AnswerPart } from './encode-answer-part.ts';
import { isMovable, readSignature } from './signature-text.ts';

/**
 * Moves the signature of another vendor's thought to the text or call after it, where Google's own signatures
 * are. Many clients return signatures there, but drop empty thoughts.
 */
export class SignatureCarrier {
  /** An empty thought whose signature the next part takes. */
  #held: AnswerPart | undefined;

  /** Adds parts of the answer in their order. Returns the parts to send now. */
  add(parts: readonly AnswerPart[]): AnswerPart[] {
    return parts.flatMap((part) => this.#addPart(part));
  }

  /** Returns the signature that no part has taken, on its empty thought. */
  end(): AnswerPart[] {
    const held = this.#held;
    this.#held = undefined;
    return held ? [held] : [];
  }

  #addPart(part: AnswerPart): AnswerPart[] {
    if (isMovableSignature(part)) {
      const before = this.end();
      this.#held = part;
      return before;
    }
    if (this.#held === undefined || !canCarry(part)) return [...this.end(), part];
    const { thoughtSignature } = this.#held;
    this.#held = undefined;
    return [{ ...part, thoughtSignature }];
  }
}

/** Reports whether a part has only a signature, which may be on another part as well. */
function isMovableSignature({ thought, text, thoughtSignature }: AnswerPart): boolean {
  if (thought !== true || text !== '' || typeof thoughtSignature !== 'string') return false;
  const signed = readSignature(thoughtSignature, 'thought');
  return signed !== undefined && isMovable(signed);
}

const canCarry = ({ thought, text, functionCall, thoughtSignature }: AnswerPart): boolean =>
  thought !== true &&
  thoughtSignature === undefined &&
  (functionCall !== undefined || typeof text === 'string');
