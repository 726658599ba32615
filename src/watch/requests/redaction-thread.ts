import type { RedactionRule } from './redact-content.ts';
import type { RedactionReply } from './redact-in-thread.ts';

/** A text takes milliseconds. An expression that backtracks without end is stopped. */
const DEADLINE_MS = 1_000;
/** The first text waits until the thread has started. */
const START_MS = 5_000;

export type StartRedaction = () => Worker;

const startThread: StartRedaction = () => new Worker(new URL('./redact-in-thread.ts', import.meta.url).href);

/**
 * Redacts texts in a thread, one order at a time. A thread that passes the deadline is ended, and the next
 * order starts another one.
 */
export class RedactionThread {
  readonly #start: StartRedaction;
  readonly #deadlineMs: number;
  #thread: Worker | undefined;
  #isWarm = false;

  constructor(start: StartRedaction = startThread, deadlineMs = DEADLINE_MS) {
    this.#start = start;
    this.#deadlineMs = deadlineMs;
  }

  async redact(
    texts: readonly string[],
    rules: readonly RedactionRule[],
  ): Promise<string[] | 'timeout' | 'failed'> {
    const { promise, resolve } = Promise.withResolvers<string[] | 'timeout' | 'failed'>();
    const thread = this.#threadOf(() => resolve('failed'));
    if (!thread) return 'failed';
    const deadlineMs = this.#isWarm ? this.#deadlineMs : this.#deadlineMs + START_MS;
    const timer = setTimeout(() => resolve('timeout'), deadlineMs);
    thread.onmessage = ({ data }: MessageEvent<RedactionReply>) =>
      resolve('texts' in data ? data.texts : 'failed');
    thread.postMessage({ texts, rules });
    const outcome = await promise;
    clearTimeout(timer);
    if (typeof outcome === 'string') this.close();
    else this.#isWarm = true;
    return outcome;
  }

  close(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#isWarm = false;
  }

  #threadOf(failed: () => void): Worker | undefined {
    try {
      this.#thread ??= this.#start();
    } catch {
      return undefined;
    }
    this.#thread.onerror = failed;
    return this.#thread;
  }
}
