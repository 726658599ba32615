import type { Place } from '../lib/roster.ts';
import type { Due, DueWatch } from './due-watch.ts';
import { CallEnded, CallTimedOut, type HttpTimeouts } from './http-answer.ts';

export type TimedCall = { fail(error: Error): void };

export type TimedRequest = { timeouts: HttpTimeouts; client: AbortSignal };

/** Ends a call that takes too long, or whose client has left. What counts as a gap is the other end's silence, not our reader's. */
export class CallDeadline implements Due {
  readonly #request: TimedRequest;
  readonly #watch: DueWatch;
  readonly #call: TimedCall;
  readonly #startedAt = performance.now();
  readonly #place: Place<Due>;
  #phase: 'connect' | 'first-byte' | 'gap' | 'reading' = 'first-byte';
  due: number;

  constructor(request: TimedRequest, watch: DueWatch, call: TimedCall) {
    this.#request = request;
    this.#watch = watch;
    this.#call = call;
    this.due = this.#startedAt + Math.min(request.timeouts.firstByteMs, request.timeouts.totalMs);
    this.#place = watch.add(this);
  }

  get isForsaken(): boolean {
    return this.#request.client.aborted;
  }

  expire(): void {
    this.#call.fail(this.isForsaken ? new CallEnded('the client has left') : new CallTimedOut(this.#phase));
  }

  connecting(): void {
    this.#phase = 'connect';
    this.due = Math.min(performance.now() + this.#request.timeouts.connectMs, this.due);
    this.#watch.sooner(this.due);
  }

  connected(): void {
    const { firstByteMs, totalMs } = this.#request.timeouts;
    this.#phase = 'first-byte';
    this.due = this.#startedAt + Math.min(firstByteMs, totalMs);
  }

  /** The reader waits for what comes next of a body that has begun. */
  waiting(): void {
    const { idleMs, totalMs } = this.#request.timeouts;
    this.#phase = 'gap';
    this.due = Math.min(performance.now() + idleMs, this.#startedAt + totalMs);
    this.#watch.sooner(this.due);
  }

  arrived(): void {
    this.#phase = 'reading';
    this.due = this.#startedAt + this.#request.timeouts.totalMs;
  }

  close(): void {
    this.#watch.leave(this.#place);
  }
}
