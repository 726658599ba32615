import type { RosterEntry } from '../../base/lib/roster.ts';
import type { Due, DueWatch } from './due-watch.ts';
import { CallAbandoned, CallEnded, CallTimedOut, type HttpRequest } from './http-answer.ts';

export type TimedCall = { fail(error: Error): void };

/** The phases of a call. Messages of timeouts name them. */
type Phase = 'connect' | 'sending' | 'first-byte' | 'gap' | 'reading';

export type TimedRequest = Pick<
  HttpRequest,
  'timeouts' | 'client' | 'reader' | 'graceMs' | 'onClientLeft' | 'calledOff'
>;

/** The shortest interval between checks of a call whose reader is slow. */
const SLOW_CHECK_MS = 100;

/**
 * Ends a call that takes too long, that is called off, or whose client left longer ago than its grace. A gap
 * is a silence of the host, and not of the gateway's reader. The total time does not run while the gateway
 * waits for its reader.
 */
export class CallDeadline implements Due {
  readonly #request: TimedRequest;
  readonly #watch: DueWatch;
  readonly #call: TimedCall;
  readonly #startedAt = performance.now();
  /** The reader's waits before this call. */
  readonly #waitedBefore: number;
  #place: RosterEntry<Due>;
  #phase: Phase = 'first-byte';
  /** The end of the current phase. */
  #phaseDue: number;
  /**
   * The end of the total time. It moves when the call would expire, so that the reader's waits cost other
   * calls nothing.
   */
  #totalDue: number;
  /** The time at which the client was first seen to have left. */
  #leftAt: number | undefined;
  due: number;

  constructor(request: TimedRequest, watch: DueWatch, call: TimedCall) {
    this.#request = request;
    this.#watch = watch;
    this.#call = call;
    this.#waitedBefore = request.reader?.waitedMs ?? 0;
    this.#phaseDue = this.#startedAt + request.timeouts.firstByteMs;
    this.#totalDue = this.#startedAt + request.timeouts.totalMs;
    this.due = Math.min(this.#phaseDue, this.#totalDue);
    this.#place = watch.add(this);
  }

  get isAbandoned(): boolean {
    const { calledOff } = this.#request;
    return calledOff?.aborted === true || (this.#hasClientLeft() && this.#isGraceOver());
  }

  expire(): void {
    const error = this.isAbandoned ? this.#ending() : this.#timeOut(performance.now());
    if (error) this.#call.fail(error);
    else this.#place = this.#watch.add(this);
  }

  /** Moves the total time by the reader's waits. Returns an error if the call is over nevertheless. */
  #timeOut(now: number): CallTimedOut | undefined {
    this.#totalDue = this.#startedAt + this.#request.timeouts.totalMs + this.#waitedMs();
    this.due = Math.min(this.#phaseDue, this.#totalDue);
    if (this.due <= now + 1) return new CallTimedOut(this.#phase);
    this.due = Math.min(this.#phaseDue, Math.max(this.#totalDue, now + SLOW_CHECK_MS));
    return undefined;
  }

  connecting(): void {
    this.#enter('connect', Math.min(performance.now() + this.#request.timeouts.connectMs, this.#phaseDue));
  }

  connected(): void {
    this.#enter('first-byte', this.#startedAt + this.#request.timeouts.firstByteMs);
  }

  /** The host has taken a piece of a long body. It must take the next one within the gap timeout. */
  sending(): void {
    this.#enter('sending', performance.now() + this.#request.timeouts.idleMs);
  }

  /** The host has taken the whole of a long body. The time for its first byte begins here. */
  sent(): void {
    this.#enter('first-byte', performance.now() + this.#request.timeouts.firstByteMs);
  }

  /** Starts the gap timeout: the reader waits for the next piece of a body that has begun. */
  waiting(): void {
    this.#enter('gap', performance.now() + this.#request.timeouts.idleMs);
  }

  /** Ends the phase. Until the reader waits again, only the total time is limited. */
  arrived(): void {
    this.#enter('reading', Number.POSITIVE_INFINITY);
  }

  close(): void {
    this.#watch.leave(this.#place);
  }

  #enter(phase: Phase, due: number): void {
    this.#phase = phase;
    this.#phaseDue = due;
    this.due = Math.min(due, this.#totalDue);
    this.#watch.sooner(this.due);
  }

  get #isUnsent(): boolean {
    return this.#phase === 'connect' || this.#phase === 'sending';
  }

  #hasClientLeft(): boolean {
    const { client, reader } = this.#request;
    return client.aborted || reader?.hasLeft === true;
  }

  #waitedMs(): number {
    return (this.#request.reader?.waitedMs ?? 0) - this.#waitedBefore;
  }

  /** A request that was not sent completely has no grace. */
  #isGraceOver(): boolean {
    const { graceMs = 0, onClientLeft } = this.#request;
    if (graceMs === 0 || this.#isUnsent) return true;
    const now = performance.now();
    if (this.#leftAt === undefined) onClientLeft?.();
    this.#leftAt ??= now;
    return now - this.#leftAt >= graceMs;
  }

  #ending(): CallEnded {
    const { calledOff } = this.#request;
    if (calledOff?.aborted) return new CallEnded('the call was canceled');
    return this.#isUnsent ? new CallEnded('the client has left') : new CallAbandoned('the client has left');
  }
}
