import { objectOf } from '../../base/json/read-json.ts';
import type { TextEstimator } from './estimator.ts';

/**
 * Text is estimated in pieces of this length.
 * An estimate for each delta would cost more in calls than in work.
 */
const PIECE_LENGTH = 2_048;
/** The first part of the text, up to this length, is kept for an exact count. The rest is only estimated. */
const MAX_KEPT = 64 * 1_024;

/** Recognizes a search in Anthropic's blocks and in OpenAI's items. Opening a found page is not a search. */
function isSearch(part: unknown): boolean {
  const { type, name, action } = objectOf(part);
  if (type === 'server_tool_use') return name === 'web_search';
  return type === 'web_search_call' && (objectOf(action).type ?? 'search') === 'search';
}

/** The text that a model has written so far, and its estimated number of tokens. */
export class CountedText {
  readonly #estimate: TextEstimator;
  readonly #pieces: string[] = [];
  #piece = '';
  #keptLength = 0;
  #keptTokens = 0;
  #estimatedTokens = 0;
  /** The length in UTF-16 units. */
  length = 0;
  /** The searches of the vendor's own tool that the answer has shown. */
  searches = 0;

  constructor(estimate: TextEstimator) {
    this.#estimate = estimate;
  }

  /** Counts a block or an item of the vendor's own if it is a search. */
  addPart(part: unknown): void {
    if (isSearch(part)) this.searches++;
  }

  add(text: string): void {
    this.length += text.length;
    this.#piece += text;
    if (this.#piece.length >= PIECE_LENGTH) this.#endPiece();
  }

  /** The estimated number of tokens. */
  get tokens(): number {
    return this.#estimatedTokens + (this.#piece === '' ? 0 : this.#estimate.text(this.#piece));
  }

  /** Counts the kept text exactly, and scales the estimate of the rest by the same factor. */
  async count(exactly: (text: string) => Promise<number>): Promise<number> {
    this.#endPiece();
    if (this.#keptTokens === 0) return this.#estimatedTokens;
    const counted = await exactly(this.#pieces.join(''));
    return Math.ceil((counted * this.#estimatedTokens) / this.#keptTokens);
  }

  #endPiece(): void {
    const piece = this.#piece;
    if (piece === '') return;
    this.#piece = '';
    const tokens = this.#estimate.text(piece);
    this.#estimatedTokens += tokens;
    if (this.#keptLength >= MAX_KEPT) return;
    this.#pieces.push(piece);
    this.#keptLength += piece.length;
    this.#keptTokens += tokens;
  }
}
