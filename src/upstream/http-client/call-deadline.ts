import type { Place } from '../../base/lib/roster.ts';
import type { Due, DueWatch } from './due-watch.ts';
import { CallEnded, CallForsaken, CallTimedOut, type HttpRequest } from './http-answer.ts';

export type TimedCall = { fail(error: Error): void };

export type TimedRequest = Pick<HttpRequest, 'timeouts' | 'client' | 'graceMs' | 'left' | 'calledOff'>;

/**
 * Ends a call that takes too long, that is called off, or whose client left longer ago than its grace. A gap is a silence of the host,
 * and not of the gateway's reader.
 */
export class CallDeadline implements Due {
  readonly #request: TimedRequest;
  readonly #watch: DueWatch;
  readonly #call: TimedCall;
  readonly #startedAt = performance.now();
  readonly #place: Place<Due>;
  #phase: 'connect' | 'first-byte' | 'gap' | 'reading' = 'first-byte';
  /** The time at which the client was first seen to have left. */
  #leftAt: number | undefined;
  due: number;

  constructor(request: TimedRequest, watch: DueWatch, call: TimedCall) {
    this.#request = request;
    this.#watch = watch;
    this.#call = call;
    this.due = this.#startedAt + Math.min(request.timeouts.firstByteMs, request.timeouts.totalMs);
    this.#place = watch.add(this);
  }

  get isForsaken(): boolean {
    const { client, calledOff } = this.#request;
    return calledOff?.aborted === true || (client.aborted && this.#isGraceOver());
  }

  expire(): void {
    this.#call.fail(this.isForsaken ? this.#ending() : new CallTimedOut(this.#phase));
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

  /** Starts the gap timeout: the reader waits for the next piece of a body that has begun. */
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

  /** A request that was not sent yet has no grace. */
  #isGraceOver(): boolean {
    const { graceMs = 0, left } = this.#request;
    if (graceMs === 0 || this.#phase === 'connect') return true;
    const now = performance.now();
    if (this.#leftAt === undefined) left?.();
    this.#leftAt ??= now;
    return now - this.#leftAt >= graceMs;
  }

  #ending(): CallEnded {
    const { calledOff } = this.#request;
    if (calledOff?.aborted) return new CallEnded('the call was canceled');
    return this.#phase === 'connect'
      ? new CallEnded('the client has left')
      : new CallForsaken('the client has left');
  }
}
