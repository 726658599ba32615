import type { MaybeLater } from '../../base/lib/after.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { CountQueue, type QueueOptions } from './count-queue.ts';
import { CountTask } from './count-task.ts';
import type { Countable } from './countable.ts';
import { countablesOf } from './countables-of.ts';
import { estimateCountables } from './estimate-countables.ts';
import { KnownCounts, type MissingText } from './known-counts.ts';
import type { TextBag } from './text-bag.ts';
import { type CountedModel, tokenFamily } from './token-family.ts';
import type { VocabularyName } from './vocabulary.ts';

/** A count that has not begun by then is an estimate. */
const PATIENCE_MS = 250;
/** The most of the thread's time for the texts of one hold: an ordinary body takes a tenth to a whole second. */
const BOUND_BUDGET_MS = 1_000;
/** The same for one count: the most awkward texts would take a minute. */
const COUNT_BUDGET_MS = 15_000;

/** Tokens of a prompt. */
export type CountedPrompt = { sure: number; unsure: number };

/** For whom it is counted. */
export type CountCaller = {
  /** Accounts take turns. */
  account: string;
  /** The client's request: what is waiting when its client leaves is not counted. */
  request?: Request;
  /** Nobody waits for the answer, which is better late than estimated. */
  isPatient?: boolean;
};

type Shared = { queue: CountQueue; known: KnownCounts; patienceMs: number };

const isSure = (countable: Countable): boolean =>
  countable.kind === 'text' ||
  countable.kind === 'tokens' ||
  (countable.kind === 'image' && countable.data !== undefined);

/** The server itself. */
const NO_ACCOUNT: CountCaller = { account: '' };

/**
 * Counts tokens in a thread of its own, where the accounts take turns. A count that the thread cannot give (it crashed, it takes too long,
 * too much is waiting) is an estimate instead, since a rough answer serves better than none. Where money is held by it there is no
 * estimate, but no answer.
 */
export class TokenCounter {
  readonly #shared: Shared;
  readonly #caller: CountCaller;

  constructor(
    { patienceMs = PATIENCE_MS, ...options }: QueueOptions & { patienceMs?: number } = {},
    {
      shared = { queue: new CountQueue(options), known: new KnownCounts(), patienceMs },
      caller = NO_ACCOUNT,
    }: { shared?: Shared; caller?: CountCaller } = {},
  ) {
    this.#shared = shared;
    this.#caller = caller;
  }

  /** The same counter, for what that caller asks. */
  for(caller: CountCaller): TokenCounter {
    return new TokenCounter({}, { shared: this.#shared, caller });
  }

  /** One text, as that model's maker counts it. */
  countText(text: string, model: CountedModel): Promise<number> {
    return text === '' ? Promise.resolve(0) : this.#count([{ kind: 'text', text }], model);
  }

  /** Everything in a request that the model reads. */
  countRequest(request: CanonicalRequest, model: CountedModel): Promise<number> {
    return this.#count(countablesOf(request, tokenFamily(model)), model);
  }

  /** The same, with what nobody can know exactly (pages of documents, media behind addresses) by itself. */
  async countPrompt(request: CanonicalRequest, model: CountedModel): Promise<CountedPrompt> {
    const family = tokenFamily(model);
    const countables = countablesOf(request, family);
    const sure = await this.#count(countables.filter(isSure), model);
    return {
      sure,
      unsure: estimateCountables(
        countables.filter((countable) => !isSure(countable)),
        family,
      ),
    };
  }

  /** The most tokens that all these texts can be, if that is less than `most`; undefined where it cannot be known in time. */
  boundTexts(bag: TextBag, vocabulary: VocabularyName, most: number): MaybeLater<number | undefined> {
    const { sum, missing } = this.#shared.known.of(vocabulary).sumOf(bag);
    if (missing.length === 0 || sum >= most) return sum;
    return this.#boundMissing(missing, { sum, vocabulary, most });
  }

  close(): void {
    this.#shared.queue.close();
  }

  async #boundMissing(
    missing: readonly MissingText[],
    { sum, vocabulary, most }: { sum: number; vocabulary: VocabularyName; most: number },
  ): Promise<number | undefined> {
    const texts = missing.map(({ text }) => text);
    const terms = { vocabulary, perCut: 1, most: most - sum, budgetMs: BOUND_BUDGET_MS } as const;
    const task = new CountTask(texts, terms);
    if (!(await this.#run(task, { isBound: true }))) return undefined;
    this.#shared.known.of(vocabulary).learn(missing.slice(0, task.finished), task.tokens);
    const boundOf = (text: string, at: number): number => {
      if (at < task.finished) return task.tokens[at]!;
      return at === task.finished
        ? (task.tokens[at] ?? 0) + Buffer.byteLength(task.rest)
        : Buffer.byteLength(text);
    };
    return missing.reduce((total, { text, times }, at) => total + boundOf(text, at) * times, sum);
  }

  async #count(countables: readonly Countable[], model: CountedModel): Promise<number> {
    const family = tokenFamily(model);
    const parts = countables.map((countable) => (countable.kind === 'text' ? countable.text : countable));
    const terms = { vocabulary: family.vocabulary, model, budgetMs: COUNT_BUDGET_MS };
    const task = new CountTask(parts, terms);
    const isCounted = (await this.#run(task, { isBound: false })) && task.finished === parts.length;
    if (!isCounted) return estimateCountables(countables, family);
    let textual = 0;
    let fixed = 0;
    for (const [at, tokens] of task.tokens.entries())
      if (typeof parts[at] === 'string') textual += tokens;
      else fixed += tokens;
    return Math.ceil(textual * family.textFactor) + fixed;
  }

  #run(task: CountTask, { isBound }: { isBound: boolean }): Promise<boolean> {
    const { account, request, isPatient = false } = this.#caller;
    const patienceMs = isPatient ? Number.POSITIVE_INFINITY : this.#shared.patienceMs;
    return this.#shared.queue.run({ task, account, isBound, patienceMs, signal: request?.signal });
  }
}
