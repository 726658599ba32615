import { probeConnection } from './probe-connection.ts';
import type { Provider } from './providers.ts';

export type DeadlineKind = 'connect' | 'first-byte' | 'idle' | 'total';

/**
 * Ends an upstream call that takes too long, or whose client has left. One timer for the whole call: while the stream flows only a number
 * is written, and a timer that finds it moved starts again for the rest.
 *
 * The runtime does not tell whether a connection stands. Half of `connect_ms` without an answer, a connection of our own finds out: an
 * upstream that thinks for minutes takes it, a host that is not there does not, and the call ends when the other half is over.
 */
export class UpstreamDeadline implements EventListenerObject {
  readonly #controller = new AbortController();
  readonly #timeouts: Provider['timeouts'];
  readonly #startedAt = performance.now();
  readonly #client: AbortSignal;
  readonly #address: string;
  #kind: DeadlineKind = 'connect';
  #due: number;
  #timer: Timer;
  #expired: DeadlineKind | undefined;

  constructor({ timeouts, baseUrl }: Pick<Provider, 'timeouts' | 'baseUrl'>, client: AbortSignal) {
    this.#timeouts = timeouts;
    this.#address = baseUrl;
    this.#client = client;
    this.#due = this.#startedAt + Math.min(timeouts.connectMs / 2, timeouts.firstByteMs, timeouts.totalMs);
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

  /** Until the next progress it is the client that is waited for: no gap of the upstream's. */
  pause(): void {
    this.#kind = 'idle';
    this.#due = this.#startedAt + this.#timeouts.totalMs;
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
    const elapsed = performance.now() - this.#startedAt;
    if (elapsed >= this.#timeouts.totalMs - 1) this.#expire('total');
    else if (this.#kind !== 'connect') this.#expire(this.#kind);
    else if (elapsed >= this.#timeouts.firstByteMs - 1) this.#expire('first-byte');
    else this.#probe();
  }

  #probe(): void {
    this.#kind = 'first-byte';
    this.#due = this.#startedAt + Math.min(this.#timeouts.firstByteMs, this.#timeouts.totalMs);
    this.#arm();
    void probeConnection(this.#address, this.#timeouts.connectMs / 2).then((isOpen) => {
      if (!isOpen && this.#kind === 'first-byte') this.#expire('connect');
    });
  }

  #expire(kind: DeadlineKind): void {
    this.#expired = kind;
    this.#controller.abort('timed-out');
  }
}
