import type { Wire } from '../../translation/canonical/wire.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { ConfigOrigin } from './read-snapshot.ts';

/** A message to the thread that reads a configuration. `next` asks for the next part of the result. */
export type ReadOrder =
  | { kind: 'read'; origin: ConfigOrigin; supportedWires: ReadonlySet<Wire> }
  | { kind: 'next' };

/** The thread's answer to an order. `failed` is an exception, and not a problem of the configuration. */
export type ReadAnswer =
  | { kind: 'problems'; problems: ConfigProblem[] }
  | { kind: 'part'; text: string }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };

/** The reason why a thread gives no more answers. */
export type LostThread = { kind: 'lost'; why: string };

/** A thread that reads a configuration. It answers one order at a time, until it ends or the time is up. */
export class ReadingThread {
  readonly #worker: Worker;
  readonly #lost = Promise.withResolvers<LostThread>();
  readonly #timer: Timer;

  constructor(worker: Worker, timeoutMs: number) {
    this.#worker = worker;
    worker.unref();
    worker.onerror = (event) => {
      event.preventDefault();
      this.#lose(event.message);
    };
    worker.addEventListener('close', () => this.#lose('its thread ended'));
    this.#timer = setTimeout(() => this.#lose(`it took longer than ${timeoutMs / 1_000} s`), timeoutMs);
  }

  ask(order: ReadOrder): Promise<ReadAnswer | LostThread> {
    const { promise, resolve } = Promise.withResolvers<ReadAnswer>();
    this.#worker.onmessage = ({ data }) => resolve(data);
    this.#worker.postMessage(order);
    return Promise.race([promise, this.#lost.promise]);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }

  #lose(why: string): void {
    this.#lost.resolve({ kind: 'lost', why });
  }
}
