import { RoundRobinQueue } from '../../base/lib/round-robin-queue.ts';
import type { TurnCounts, TurnReply } from './count-turn.ts';
import { type CountOrder, WaitingCount } from './waiting-count.ts';

/** The most counts that wait for one account. More are not queued. */
const MAX_WAITING = 64;
/**
 * A higher limit for holds, which mostly count a few hundred new words. A burst of requests needs all of them
 * at once.
 */
const MAX_HOLD_COUNTS_WAITING = 4_096;
/** The largest ordinary body takes a second of the thread's time. */
const TIMEOUT_MS = 15_000;

type StartThread = () => Worker;

export type QueueOptions = { start?: StartThread; timeoutMs?: number };

const startThread: StartThread = () => new Worker(new URL('./count-in-thread.ts', import.meta.url).href);

/**
 * The counting thread, which starts with the first text, and its queue. Accounts take turns of a few
 * milliseconds, so that one account's long texts delay another account by at most one turn.
 */
export class CountQueue {
  readonly #start: StartThread;
  readonly #timeoutMs: number;
  readonly #holdCounts = new RoundRobinQueue<WaitingCount>();
  readonly #otherCounts = new RoundRobinQueue<WaitingCount>();
  #thread: Worker | undefined;
  #current: WaitingCount | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor({ start = startThread, timeoutMs = TIMEOUT_MS }: QueueOptions) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Resolves to whether the task was finished. A task stays unfinished if it waited or took too long, its
   * caller left, or the thread was lost.
   */
  run(order: CountOrder): Promise<boolean> {
    const queue = order.isForHold ? this.#holdCounts : this.#otherCounts;
    const maxWaiting = order.isForHold ? MAX_HOLD_COUNTS_WAITING : MAX_WAITING;
    const isFull = queue.countOf(order.account) >= maxWaiting;
    if (this.#isClosed || isFull || order.signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const count = new WaitingCount(order, { timeoutMs: this.#timeoutMs, onEnd: resolve });
      count.enter(queue);
      if (this.#current === undefined) this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const waiting of [...this.#holdCounts.all(), ...this.#otherCounts.all()]) waiting.end(false);
  }

  /** Gives the next turn to a count, counts for holds first. */
  #next(): void {
    const next = this.#holdCounts.next() ?? this.#otherCounts.next();
    if (next === undefined) return;
    this.#current = next;
    next.beginTurn();
    this.#timer = setTimeout(() => this.#drop(), this.#timeoutMs);
    this.#timer.unref();
    try {
      this.#thread ??= this.#open();
      this.#thread.postMessage(next.task.turn());
    } catch {
      this.#drop(); // the thread could not be started
    }
  }

  /** Starts the thread. Its loss ends the turn that it works on. */
  #open(): Worker {
    const thread = this.#start();
    thread.unref();
    thread.onmessage = ({ data }: MessageEvent<TurnReply>) => {
      if (thread === this.#thread) this.#endTurn(data.counted);
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

  /** Drops the thread. The next task starts another one. */
  #drop(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    thread?.terminate();
    this.#endTurn(undefined);
  }

  /** Ends the current turn, and begins the next one. `counted` is undefined if the thread was lost. */
  #endTurn(counted: TurnCounts | undefined): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    if (counted) current?.task.take(counted);
    if (!counted || current?.task.isOver) current?.end(counted !== undefined);
    if (!this.#isClosed) this.#next();
  }
}
