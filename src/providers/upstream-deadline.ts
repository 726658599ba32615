import type { Provider } from './providers.ts';

export type DeadlineKind = 'first-byte' | 'idle' | 'total';

/**
 * Ends an upstream call that takes too long, or whose client has left. One timer for the whole call: while the stream flows only a number
 * is written, and a timer that finds it moved starts again for the rest.
 */
export class UpstreamDeadline implements EventListenerObject {
  readonly #controller = new AbortController();
  readonly #timeouts: Provider['timeouts'];
  readonly #startedAt = performance.now();
  readonly #client: AbortSignal;
  #kind: DeadlineKind = 'first-byte';
  #due: number;
  #timer: Timer;
  #expired: DeadlineKind | undefined;

  constructor(timeouts: Provider['timeouts'], client: AbortSignal) {
    this.#timeouts = timeouts;
    this.#client = client;
    this.#due = this.#startedAt + Math.min(timeouts.firstByteMs, timeouts.totalMs);
    this.#timer = setTimeout(() => this.#check(), this.#due - this.#startedAt);
    if (client.aborted) this.handleEvent();
    else client.addEventListener('abort', this);
  }

  /** The client has left. The object itself is the listener: a function of its own for every call costs more. */
  handleEvent(): void {
    this.#controller.abort('client-left');
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get expired(): DeadlineKind | undefined {
    return this.#expired;
  }

  get clientLeft(): boolean {
    return this.#client.aborted;
  }

  /** Something arrived: from now on it is the gaps that count. */
  progress(): void {
    const due = Math.min(performance.now() + this.#timeouts.idleMs, this.#startedAt + this.#timeouts.totalMs);
    const earlier = due < this.#due;
    this.#kind = 'idle';
    this.#due = due;
    if (earlier) this.#arm();
  }

  abort(): void {
    this.#controller.abort('given-up');
    this.close();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#client.removeEventListener('abort', this);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), Math.max(0, this.#due - performance.now()));
  }

  #check(): void {
    if (performance.now() < this.#due - 1) {
      this.#arm();
      return;
    }
    const total = performance.now() - this.#startedAt >= this.#timeouts.totalMs - 1;
    this.#expired = total ? 'total' : this.#kind;
    this.#controller.abort('timed-out');
  }
}
