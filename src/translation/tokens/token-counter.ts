import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { VocabularyName } from '../canonical/vocabulary-name.ts';
import { CountQueue, type QueueOptions } from './count-queue.ts';
import { CountTask } from './count-task.ts';
import type { Countable } from './countable.ts';
import { countablesOf } from './countables-of.ts';
import { estimateCountables } from './estimate-countables.ts';
import { type CountedModel, findTokenFamily } from './find-token-family.ts';
import { KnownCounts, type MissingText } from './known-counts.ts';
import type { TextBag } from './text-bag.ts';

/** A count that has not begun within this time is replaced by an estimate. */
const PATIENCE_MS = 250;
/** The thread's time for the texts of one hold. An ordinary body takes between 0.1 s and 1 s. */
const HOLD_BUDGET_MS = 1_000;
/** The thread's time for one count. The worst texts take about a third of it. */
const COUNT_BUDGET_MS = 15_000;

/** The tokens of a prompt. `unsure`: the estimated tokens of content without an exact count. */
export type CountedPrompt = { sure: number; unsure: number };

/** The caller of a count. */
type CountCaller = {
  /** Accounts take turns. */
  account: string;
  /** The client's request. Queued counts are dropped when the client leaves. */
  request?: { readonly signal: AbortSignal };
  /** True for counts that can wait for an exact result instead of an estimate. */
  isPatient?: boolean;
};

/** Bounds the tokens of texts. */
export interface TextBounder {
  /**
   * Bounds the tokens of all these texts, if the bound is below `limit`. Returns undefined if the bound is
   * not known in time.
   */
  boundTexts(bag: TextBag, vocabulary: VocabularyName, limit: number): MaybeLater<number | undefined>;
}

/** The parts that the counters of all callers share. */
type Shared = { queue: CountQueue; known: KnownCounts; patienceMs: number };

/** Reports whether content has an exact count. */
const isSure = (countable: Countable): boolean =>
  countable.kind === 'text' ||
  countable.kind === 'tokens' ||
  (countable.kind === 'image' && countable.data !== undefined);

type CounterOptions = QueueOptions & { patienceMs?: number };

const sharedOf = ({ patienceMs = PATIENCE_MS, ...options }: CounterOptions): Shared => ({
  queue: new CountQueue(options),
  known: new KnownCounts(),
  patienceMs,
});

/** The caller of counts that the server makes for itself. */
const NO_ACCOUNT: CountCaller = { account: '' };

/**
 * Counts tokens in a separate thread, in which accounts take turns. If the thread crashes, takes too long or
 * has too much queued, the count is replaced by an estimate.
 * A count for a hold is never estimated: it returns undefined.
 */
export class TokenCounter implements TextBounder {
  readonly #shared: Shared;
  readonly #caller: CountCaller;

  constructor(
    options: CounterOptions = {},
    { shared = sharedOf(options), caller = NO_ACCOUNT }: { shared?: Shared; caller?: CountCaller } = {},
  ) {
    this.#shared = shared;
    this.#caller = caller;
  }

  /** Returns the same counter for another caller. */
  for(caller: CountCaller): TokenCounter {
    return new TokenCounter(undefined, { shared: this.#shared, caller });
  }

  /** Counts one text as the model's maker does. */
  countText(text: string, model: CountedModel): Promise<number> {
    return text === '' ? Promise.resolve(0) : this.#count([{ kind: 'text', text }], model);
  }

  /** Counts everything in a request that the model reads. */
  countRequest(request: CanonicalRequest, model: CountedModel): Promise<number> {
    return this.#count(countablesOf(request, findTokenFamily(model)), model);
  }

  /** Counts a prompt. Content without an exact count (pages of documents, media at addresses) is separate. */
  async countPrompt(request: CanonicalRequest, model: CountedModel): Promise<CountedPrompt> {
    const family = findTokenFamily(model);
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

  boundTexts(bag: TextBag, vocabulary: VocabularyName, limit: number): MaybeLater<number | undefined> {
    const { sum, missing } = this.#shared.known.countsIn(vocabulary).sumOf(bag);
    if (missing.length === 0 || sum >= limit) return sum;
    return this.#boundMissing(missing, { sum, vocabulary, limit });
  }

  close(): void {
    this.#shared.queue.close();
  }

  async #boundMissing(
    missing: readonly MissingText[],
    { sum, vocabulary, limit }: { sum: number; vocabulary: VocabularyName; limit: number },
  ): Promise<number | undefined> {
    const texts = missing.map(({ text }) => text);
    const terms = { vocabulary, perCut: 1, limit: limit - sum, budgetMs: HOLD_BUDGET_MS } as const;
    const task = new CountTask(texts, terms);
    if (!(await this.#run(task, { isForHold: true }))) return undefined;
    this.#shared.known.countsIn(vocabulary).learn(missing.slice(0, task.finished), task.tokens);
    const boundOf = (text: string, at: number): number => {
      if (at < task.finished) return task.tokens[at]!;
      return at === task.finished
        ? (task.tokens[at] ?? 0) + Buffer.byteLength(task.uncounted)
        : Buffer.byteLength(text);
    };
    return missing.reduce((total, { text, times }, at) => total + boundOf(text, at) * times, sum);
  }

  async #count(countables: readonly Countable[], model: CountedModel): Promise<number> {
    const family = findTokenFamily(model);
    const parts = countables.map((countable) => (countable.kind === 'text' ? countable.text : countable));
    const terms = { vocabulary: family.vocabulary, model, budgetMs: COUNT_BUDGET_MS };
    const task = new CountTask(parts, terms);
    const isCounted = (await this.#run(task, { isForHold: false })) && task.finished === parts.length;
    if (!isCounted) return estimateCountables(countables, family);
    let textTokens = 0;
    let fixedTokens = 0;
    for (const [at, tokens] of task.tokens.entries())
      if (typeof parts[at] === 'string') textTokens += tokens;
      else fixedTokens += tokens;
    return Math.ceil(textTokens * family.textFactor) + fixedTokens;
  }

  #run(task: CountTask, { isForHold }: { isForHold: boolean }): Promise<boolean> {
    const { account, request, isPatient = false } = this.#caller;
    const maxWaitMs = isPatient ? undefined : this.#shared.patienceMs;
    return this.#shared.queue.run({ task, account, isForHold, maxWaitMs, signal: request?.signal });
  }
}
