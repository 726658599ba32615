import { TurnsByAccount } from '../../base/lib/turns-by-account.ts';
import type { CountTask } from './count-task.ts';
import type { TurnCounts, TurnReply } from './count-turn.ts';

/** More than a burst of one account; what comes beyond is not queued. */
const MAX_WAITING = 64;
/** Holds are mostly for a few hundred new words, and all of a burst are wanted at once. */
const MAX_BOUNDS_WAITING = 4_096;
/** The largest ordinary body takes a second of the thread's time. */
const TIMEOUT_MS = 15_000;

export type StartThread = () => Worker;

export type QueueOptions = { start?: StartThread; timeoutMs?: number };

export type CountOrder = {
  task: CountTask;
  /** Whose turn it takes. */
  account: string;
  /** Money is held by it: it goes before all that is not. */
  isBound: boolean;
  /** How long it may wait for its first turn. Infinite where nobody waits for the count. */
  patienceMs: number;
  /** Aborted when nobody wants the count any more. */
  signal: AbortSignal | undefined;
};

type Waiting = CountOrder & { begin(): void; end(isCounted: boolean): void };

const startThread: StartThread = () => new Worker(new URL('./count-in-thread.ts', import.meta.url).href);

/**
 * The thread that counts, started with the first text, and what waits for it. The accounts take turns of a few milliseconds, so that
 * long texts of one account delay nobody else's by more than a turn.
 */
export class CountQueue {
  readonly #start: StartThread;
  readonly #timeoutMs: number;
  readonly #bounds = new TurnsByAccount<Waiting>();
  readonly #counts = new TurnsByAccount<Waiting>();
  #thread: Worker | undefined;
  #current: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor({ start = startThread, timeoutMs = TIMEOUT_MS }: QueueOptions) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether the task was done: not where it waited or took too long, its caller left, or the thread was lost. */
  run(order: CountOrder): Promise<boolean> {
    const most = order.isBound ? MAX_BOUNDS_WAITING : MAX_WAITING;
    const isFull = this.#lineOf(order).countOf(order.account) >= most;
    if (this.#isClosed || isFull || order.signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#queue(order, resolve);
      if (this.#current === undefined) this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#drop();
    for (const waiting of [...this.#bounds.all(), ...this.#counts.all()]) waiting.end(false);
  }

  #lineOf({ isBound }: CountOrder): TurnsByAccount<Waiting> {
    return isBound ? this.#bounds : this.#counts;
  }

  #queue(order: CountOrder, resolve: (isCounted: boolean) => void): void {
    const line = this.#lineOf(order);
    const { account, signal, isBound, patienceMs } = order;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hasBegun = false;
    const leave = () => end(false);
    const leaveAfter = (ms: number) => {
      clearTimeout(timer);
      timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(leave, ms);
      timer?.unref();
    };
    const begin = () => {
      if (!hasBegun && !isBound && patienceMs !== Number.POSITIVE_INFINITY) leaveAfter(this.#timeoutMs);
      hasBegun = true;
    };
    const end = (isCounted: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      remove();
      resolve(isCounted);
    };
    const waiting: Waiting = { ...order, begin, end };
    leaveAfter(isBound ? this.#timeoutMs : patienceMs); // a bound has so long in all
    signal?.addEventListener('abort', leave);
    const remove = line.add(account, waiting);
  }

  #next(): void {
    const next = this.#bounds.next() ?? this.#counts.next();
    if (next === undefined) return;
    this.#current = next;
    next.begin();
    this.#timer = setTimeout(() => this.#drop(), this.#timeoutMs);
    this.#timer.unref();
    try {
      this.#thread ??= this.#open();
      this.#thread.postMessage(next.task.turn());
    } catch {
      this.#drop(); // no thread to be had
    }
  }

  #open(): Worker {
    const thread = this.#start();
    thread.unref();
    thread.onmessage = ({ data }: MessageEvent<TurnReply>) => {
      if (thread === this.#thread) this.#take(data.counted);
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
    this.#take(undefined);
  }

  #take(counted: TurnCounts | undefined): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    if (counted) current?.task.take(counted);
    if (!counted || current?.task.isOver) current?.end(counted !== undefined);
    if (!this.#isClosed) this.#next();
  }
}
