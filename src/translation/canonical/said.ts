import type { Estimator } from './estimator.ts';

/** Text is estimated in pieces of this size: a call for each delta would cost more than the estimate. */
const PIECE_LENGTH = 2_048;
/** As much text is kept to be counted exactly; beyond it, counts go by the estimate alone. */
const MOST_KEPT = 64 * 1_024;

/** The text that a model has written so far, and about how many tokens it is. */
export class Said {
  readonly #estimate: Pick<Estimator, 'text'>;
  readonly #kept: string[] = [];
  #piece = '';
  #keptLength = 0;
  #keptTokens = 0;
  #estimatedTokens = 0;
  /** In UTF-16 units. */
  length = 0;

  constructor(estimate: Pick<Estimator, 'text'>) {
    this.#estimate = estimate;
  }

  add(text: string): void {
    this.length += text.length;
    this.#piece += text;
    if (this.#piece.length >= PIECE_LENGTH) this.#endPiece();
  }

  /** Estimated. */
  get tokens(): number {
    return this.#estimatedTokens + (this.#piece === '' ? 0 : this.#estimate.text(this.#piece));
  }

  /** Counted exactly as far as the text was kept; the rest is estimated by the same measure. */
  async count(exactly: (text: string) => Promise<number>): Promise<number> {
    this.#endPiece();
    if (this.#keptTokens === 0) return this.#estimatedTokens;
    const counted = await exactly(this.#kept.join(''));
    return Math.ceil((counted * this.#estimatedTokens) / this.#keptTokens);
  }

  #endPiece(): void {
    const piece = this.#piece;
    if (piece === '') return;
    this.#piece = '';
    const tokens = this.#estimate.text(piece);
    this.#estimatedTokens += tokens;
    if (this.#keptLength >= MOST_KEPT) return;
    this.#kept.push(piece);
    this.#keptLength += piece.length;
    this.#keptTokens += tokens;
  }
}
