import type { CountPart, CountTurn, TurnCounts } from './count-turn.ts';
import type { CountedModel } from './token-family.ts';
import type { VocabularyName } from './vocabulary.ts';

/** The length of a turn. Ordinary prose of this length takes the thread about 6 ms. */
const TURN_UNITS = 65_536;
/** Limits a turn's time for any text. A turn of random letters would take up to 80 ms. */
const TURN_MS = 10;

export type CountTerms = {
  vocabulary: VocabularyName;
  model?: CountedModel;
  perCut?: 0 | 1;
  /** The count can stop at this many tokens. */
  limit?: number;
  /** The thread's time that the task may use. */
  budgetMs?: number;
};

/** Texts and media that are counted in turns, and the progress of the count. */
export class CountTask {
  /** The tokens of each part counted so far. */
  readonly tokens: number[] = [];
  readonly #parts: readonly CountPart[];
  readonly #terms: CountTerms;
  /** The first unfinished part, and how far it has been counted. */
  #at = 0;
  #from = 0;
  #sum = 0;
  #usedMs = 0;

  constructor(parts: readonly CountPart[], terms: CountTerms) {
    this.#parts = parts;
    this.#terms = terms;
  }

  /** The number of finished parts. */
  get finished(): number {
    return this.#at;
  }

  /** The uncounted end of the first unfinished part, if it is a text. */
  get uncounted(): string {
    const part = this.#parts[this.#at];
    return typeof part === 'string' ? part.slice(this.#from) : '';
  }

  /** True if the task needs no more turns. */
  get isOver(): boolean {
    const { limit = Number.POSITIVE_INFINITY, budgetMs = Number.POSITIVE_INFINITY } = this.#terms;
    return this.#at === this.#parts.length || this.#sum > limit || this.#usedMs > budgetMs;
  }

  turn(): CountTurn {
    const parts: CountPart[] = [];
    let goesOn = false;
    let space = TURN_UNITS;
    for (let at = this.#at; at < this.#parts.length && space > 0; at++) {
      const part = this.#parts[at]!;
      if (typeof part !== 'string') {
        parts.push(part);
        space -= 'data' in part ? (part.data?.length ?? 1) : 1;
        continue;
      }
      const from = at === this.#at ? this.#from : 0;
      const end = Math.min(part.length, from + space);
      goesOn = end < part.length;
      parts.push(part.slice(from, end));
      space -= end - from + 1;
    }
    const { vocabulary, model, perCut = 0 } = this.#terms;
    return { parts, goesOn, vocabulary, model, perCut, forMs: TURN_MS };
  }

  take({ tokens, read, tookMs }: TurnCounts): void {
    this.#usedMs += tookMs;
    for (const [index, count] of tokens.entries()) {
      const part = this.#parts[this.#at];
      this.tokens[this.#at] = (this.tokens[this.#at] ?? 0) + count;
      this.#sum += count;
      const isLast = index === tokens.length - 1;
      if (isLast && typeof part === 'string') this.#from += read;
      if (isLast && typeof part === 'string' && this.#from < part.length) return;
      this.#at++;
      this.#from = 0;
    }
  }
}
