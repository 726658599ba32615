import type { CanonicalRequest } from '../canonical/request.ts';
import type { CountedJob, CountJob } from './count-job.ts';
import type { Countable } from './countable.ts';
import { countablesOf } from './countables-of.ts';
import { estimateCountables } from './estimate-countables.ts';
import { type CountedModel, tokenFamily } from './token-family.ts';

/** More than a burst; what comes beyond is estimated and not queued. */
const MAX_WAITING = 64;
/** The largest body takes a second, the most awkward one that was found ten. */
const TIMEOUT_MS = 15_000;

type Waiting = { job: CountJob; resolve: (tokens: number) => void };
/** Tokens of a prompt. */
export type CountedPrompt = { sure: number; unsure: number };

const isSure = (countable: Countable): boolean =>
  countable.kind === 'text' ||
  countable.kind === 'tokens' ||
  (countable.kind === 'image' && countable.data !== undefined);

export type StartThread = () => Worker;

const startThread: StartThread = () => new Worker(new URL('./count-in-thread.ts', import.meta.url).href);

const estimate = ({ countables, model }: CountJob): number =>
  estimateCountables(countables, tokenFamily(model));

/**
 * Counts tokens in a thread of its own, started with the first text: 10 MB take a second, and nobody else has to wait for it. What the
 * thread cannot count (it crashed, it takes too long, too much is waiting) is estimated instead: a rough answer serves better than
 * none.
 */
export class TokenCounter {
  readonly #start: StartThread;
  readonly #timeoutMs: number;
  readonly #waiting: Waiting[] = [];
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

  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const { job, resolve } of this.#waiting.splice(0)) resolve(estimate(job));
  }

  #count(job: CountJob): Promise<number> {
    if (this.#isClosed || this.#waiting.length >= MAX_WAITING) return Promise.resolve(estimate(job));
    return new Promise((resolve) => {
      this.#waiting.push({ job, resolve });
      if (this.#current === undefined) this.#next();
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
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
      if (thread === this.#thread) this.#answer(data.tokens);
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

  #answer(tokens: number | undefined): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    current?.resolve(tokens ?? estimate(current.job));
    if (!this.#isClosed) this.#next();
  }
}
