import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import type { CountPart, CountTurn, TurnCounts } from './count-turn.ts';
import type { CountedModel } from './find-token-family.ts';

/** The length of a turn. Ordinary prose of this length takes the thread about 6 ms. */
const TURN_UNITS = 65_536;
/** Limits a turn's time for any text. A turn of random letters would take up to 80 ms. */
const TURN_MS = 10;

/** The rules of a count, and the bounds at which it can stop. */
type CountTerms = {
  vocabulary: VocabularyName;
  /** The model whose rules apply to media. It is absent if there are only texts. */
  model?: CountedModel;
  /** The tokens to add for each cut inside a word. Default: 0. */
  perCut?: CountTurn['perCut'];
  /** The count can stop at this many tokens. */
  limit?: number;
  /** The thread's time that the task may use. */
  budgetMs?: number;
};

/** Texts and media that are counted in turns, and the progress of the count. */
export class CountTask {
  /** The tokens of each part counted so far, by its index. The last one may be counted in part. */
  readonly tokens: number[] = [];
  readonly #parts: readonly CountPart[];
  readonly #terms: CountTerms;
  /** The number of finished parts, which is the index of the first unfinished one. */
  #finished = 0;
  /** The units of the first unfinished part that are counted. */
  #countedUnits = 0;
  #sum = 0;
  #usedMs = 0;

  constructor(parts: readonly CountPart[], terms: CountTerms) {
    this.#parts = parts;
    this.#terms = terms;
  }

  /** The number of finished parts. */
  get finished(): number {
    return this.#finished;
  }

  /** The uncounted end of the first unfinished part, if it is a text. */
  get uncounted(): string {
    const part = this.#parts[this.#finished];
    return typeof part === 'string' ? part.slice(this.#countedUnits) : '';
  }

  /** True if the task needs no more turns. */
  get isOver(): boolean {
    const { limit = Number.POSITIVE_INFINITY, budgetMs = Number.POSITIVE_INFINITY } = this.#terms;
    return this.#finished === this.#parts.length || this.#sum > limit || this.#usedMs > budgetMs;
  }

  /** Returns the work of the next turn: unfinished parts of `TURN_UNITS` together. */
  turn(): CountTurn {
    const parts: CountPart[] = [];
    let goesOn = false;
    let start = this.#countedUnits;
    let space = TURN_UNITS;
    for (let index = this.#finished; index < this.#parts.length && space > 0; index++) {
      const part = this.#parts[index]!;
      const rest = typeof part === 'string' ? part.slice(start) : part;
      goesOn = typeof rest === 'string' && rest.length > space;
      parts.push(typeof rest === 'string' ? rest.slice(0, space) : rest);
      space -= unitsOf(rest);
      start = 0;
    }
    const { vocabulary, model, perCut = 0 } = this.#terms;
    return { parts, goesOn, vocabulary, model, perCut, forMs: TURN_MS };
  }

  /** Adds the counts of a turn. It has finished all parts that it reached, except perhaps the last one. */
  take({ tokens, read, tookMs }: TurnCounts): void {
    this.#usedMs += tookMs;
    if (tokens.length === 0) return;
    for (const [offset, count] of tokens.entries()) this.#add(this.#finished + offset, count);
    if (tokens.length > 1) this.#countedUnits = 0;
    this.#countedUnits += read;
    this.#finished += tokens.length - 1;
    const last = this.#parts[this.#finished];
    if (typeof last === 'string' && this.#countedUnits < last.length) return;
    this.#finished++;
    this.#countedUnits = 0;
  }

  #add(index: number, tokens: number): void {
    this.tokens[index] = (this.tokens[index] ?? 0) + tokens;
    this.#sum += tokens;
  }
}

/** Returns the share of a turn that a part takes. A text takes a unit more, so that empty texts end too. */
function unitsOf(part: CountPart): number {
  if (typeof part === 'string') return part.length + 1;
  return part.kind === 'tokens' ? 1 : (part.data?.length ?? 1);
}
