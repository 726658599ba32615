import type { CanonicalRequest } from '../canonical/request.ts';
import type { MaybeLater } from '../lib/after.ts';
import type { CountedJob, CountJob } from './count-job.ts';
import type { Countable } from './countable.ts';
import { countablesOf } from './countables-of.ts';
import { estimateCountables } from './estimate-countables.ts';
import { inTime } from './in-time.ts';
import { KnownCounts, type MissingText } from './known-counts.ts';
import type { TextBag } from './text-bag.ts';
import { type CountedModel, tokenFamily } from './token-family.ts';
import type { VocabularyName } from './vocabulary.ts';

/** More than a burst; what comes beyond is estimated and not queued. */
const MAX_WAITING = 64;
/** Holds are mostly for a few hundred new words, and all of a burst are wanted at once. */
const MAX_BOUNDS_WAITING = 4_096;
/** The largest body takes a second, the most awkward one that was found ten. */
const TIMEOUT_MS = 15_000;

type Waiting = { job: CountJob; resolve: (counted: CountedJob['counted']) => void };
/** Tokens of a prompt. */
export type CountedPrompt = { sure: number; unsure: number };

const isSure = (countable: Countable): boolean =>
  countable.kind === 'text' ||
  countable.kind === 'tokens' ||
  (countable.kind === 'image' && countable.data !== undefined);

export type StartThread = () => Worker;

const startThread: StartThread = () => new Worker(new URL('./count-in-thread.ts', import.meta.url).href);

type PromptJob = Extract<CountJob, { model: CountedModel }>;

const estimate = ({ countables, model }: PromptJob): number =>
  estimateCountables(countables, tokenFamily(model));

/**
 * Counts tokens in a thread of its own, started with the first text: 10 MB take a second, and nobody else has to wait for it. A count that
 * the thread cannot give (it crashed, it takes too long, too much is waiting) is an estimate instead, since a rough answer serves better
 * than none. Where money is held by it there is no estimate, but no answer.
 */
export class TokenCounter {
  readonly #start: StartThread;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
  /** These go first. */
  readonly #waitingForBounds: Waiting[] = [];
  readonly #known = new KnownCounts();
  #thread: Worker | undefined;
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({
    start = startThread,
    timeoutMs = TIMEOUT_MS,
  }: { start?: StartThread; timeoutMs?: number } = {}) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /** One text, as that model's maker counts it. */
  countText(text: string, model: CountedModel): Promise<number> {
    return text === '' ? Promise.resolve(0) : this.#count({ countables: [{ kind: 'text', text }], model });
  }

  /** Everything in a request that the model reads. */
  countRequest(request: CanonicalRequest, model: CountedModel): Promise<number> {
    return this.#count({ countables: countablesOf(request, tokenFamily(model)), model });
  }

  /** The same, with what nobody can know exactly (pages of documents, media behind addresses) by itself. */
  async countPrompt(request: CanonicalRequest, model: CountedModel): Promise<CountedPrompt> {
    const family = tokenFamily(model);
    const countables = countablesOf(request, family);
    const sure = await this.#count({ countables: countables.filter(isSure), model });
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
    const { sum, missing } = this.#known.of(vocabulary).sumOf(bag);
    if (missing.length === 0 || sum >= most) return sum;
    return this.#boundMissing(missing, { sum, vocabulary, most });
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const waiting of [this.#waitingForBounds, this.#waiting])
      for (const { resolve } of waiting.splice(0)) resolve(undefined);
  }

  #boundMissing(
    missing: readonly MissingText[],
    { sum, vocabulary, most }: { sum: number; vocabulary: VocabularyName; most: number },
  ): Promise<number | undefined> {
    const known = this.#known.of(vocabulary);
    const job = { texts: missing.map(({ text }) => text), vocabulary, most: most - sum };
    const bounding = this.#post(job).then((counted) => {
      if (typeof counted !== 'object') return undefined;
      known.learn(missing, counted);
      return missing.reduce((total, { times }, at) => total + counted.bounds[at]! * times, sum);
    });
    return inTime(bounding, this.#timeoutMs); // others' texts may be before it
  }

  async #count(job: PromptJob): Promise<number> {
    const counted = await this.#post(job);
    return typeof counted === 'number' ? counted : estimate(job);
  }

  #post(job: CountJob): Promise<CountedJob['counted']> {
    const [waiting, most] =
      'texts' in job ? [this.#waitingForBounds, MAX_BOUNDS_WAITING] : [this.#waiting, MAX_WAITING];
    if (this.#isClosed || waiting.length >= most) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      waiting.push({ job, resolve });
      if (this.#current === undefined) this.#next();
    });
  }

  #next(): void {
    const next = this.#waitingForBounds.shift() ?? this.#waiting.shift();
    if (next === undefined) return;
    this.#current = next;
    this.#timer = setTimeout(() => this.#drop(), this.#timeoutMs);
    this.#timer.unref();
    try {
      this.#thread ??= this.#open();
      this.#thread.postMessage(next.job);
    } catch {
      this.#drop(); // no thread to be had
    }
  }

  #open(): Worker {
    const thread = this.#start();
    thread.unref();
    thread.onmessage = ({ data }: MessageEvent<CountedJob>) => {
      if (thread === this.#thread) this.#answer(data.counted);
    };
    const lose = () => {
      if (thread === this.#thread) this.#drop();
    };
    thread.onerror = (event) => {
      event.preventDefault();
      lose();
    };
    thread.addEventListener('close', lose);
    return thread;
  }

  /** Another thread is started for what comes next. */
  #drop(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.terminate();
    this.#answer(undefined);
  }

  #answer(counted: CountedJob['counted']): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(counted);
    if (!this.#isClosed) this.#next();
  }
}
