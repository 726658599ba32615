import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { AttemptOutcome } from '../calling/attempt-outcome.ts';

/**
 * `open`: the target is paused. `half-open`: the pause is over, and one request at a time tries the target.
 */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** A probe tries a target whose pause is over, or one without another target left. */
export type CallKind = 'ordinary' | 'probe';

/** The failures in a row that pause a target. Most cost milliseconds, and their share is better evidence. */
const FAILURES_IN_A_ROW = 20;
/** The timeouts in a row that pause a target. Each costs a client minutes. */
const TIMEOUTS_IN_A_ROW = 3;
/** The share of failures that pauses a target. */
const OPEN_FROM_SHARE = 0.5;

const PAUSES = { firstMs: 5_000, maxMs: 60_000 };
/** The time in a closed circuit after which the first pause applies again. */
const FORGIVEN_AFTER_MS = 60_000;
const PROBES = 1;
/** Upstreams near their limit repeatedly ask for pauses this short. */
const SHORT_PAUSE_MS = 1_000;
/** The number of concurrent requests that may try a paused target if no other is left. */
const LAST_RESORT_CALLS = 8;

/**
 * Pauses one target after failures, or at the upstream's request. After a pause for failures, a probe must
 * succeed before the target gets all requests again. Times are milliseconds of a monotonic clock.
 */
export class Circuit {
  #failuresInARow = 0;
  #timeoutsInARow = 0;
  /** No new requests before this time. 0 while the target is healthy. */
  #resumesAt = 0;
  #isOpen = false;
  #probes = 0;
  /** The relapses since the target was last healthy for long enough. */
  #relapses = 0;
  #closedAt = 0;
  #isSuspended = false;

  /** Reports whether many calls have failed since the latest success of a probe. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  state(now: number): CircuitState {
    if (now < this.#resumesAt) return 'open';
    return this.#isOpen ? 'half-open' : 'closed';
  }

  /** Reports whether the next request may use the target. */
  isReady(now: number): boolean {
    return now >= this.#resumesAt && (!this.#isOpen || this.#probes < PROBES);
  }

  /** Reports whether the target is neither paused nor on trial. */
  isSettled(now: number): boolean {
    return !this.#isOpen && now >= this.#resumesAt;
  }

  /** Reports whether a request may try the target although it is not ready, since no other is left. */
  takesLastResort(): boolean {
    return this.#probes < LAST_RESORT_CALLS;
  }

  /**
   * Reports whether the target accepts a request that has queued for it. A short pause does not send a whole
   * queue elsewhere.
   */
  takesWaiter(now: number): boolean {
    return this.isReady(now) || (!this.#isOpen && this.absenceLeftMs(now) === 0);
  }

  /** The time until the target is tried again. 0 if it may be tried now. */
  pauseLeftMs(now: number): number {
    return Math.max(0, this.#resumesAt - now);
  }

  /** Returns the time until queued requests may count on the target again. */
  absenceLeftMs(now: number): number {
    return Math.max(0, this.pauseLeftMs(now) - (this.#isOpen ? 0 : SHORT_PAUSE_MS));
  }

  /** Pauses the target at the upstream's request. */
  coolDown(pauseMs: number, now: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, now + pauseMs);
  }

  /** True from a suspension to the next success, or until it is lifted. */
  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  /** Opens the circuit at once, for a cause that concerns every request. */
  suspend(pauseMs: number, now: number): void {
    this.#isOpen = true;
    this.#isSuspended = true;
    this.coolDown(pauseMs, now);
  }

  /** Ends the pause of a suspension. The next request is a probe. */
  lift(): void {
    if (this.#isSuspended) this.#resumesAt = 0;
    this.#isSuspended = false;
  }

  /** Begins a call. Returns its kind, which the caller must pass to `end()`. */
  begin(now: number): CallKind {
    if (!this.#isOpen && now >= this.#resumesAt) return 'ordinary';
    this.#probes++;
    return 'probe';
  }

  /** Ends a call, whatever its outcome. */
  end(kind: CallKind): void {
    if (kind === 'probe') this.#probes--;
  }

  /** Closes the circuit if the call was a probe. */
  succeed(kind: CallKind, now: number): void {
    this.#failuresInARow = 0;
    this.#timeoutsInARow = 0;
    if (kind !== 'probe') return;
    this.#isOpen = false;
    this.#isSuspended = false;
    this.#resumesAt = 0;
    this.#closedAt = now;
  }

  /** Opens the circuit after too many failures. A failed probe opens it again. */
  fail(outcome: AttemptOutcome, kind: CallKind, { share, now }: { share: number; now: number }): void {
    this.#failuresInARow++;
    this.#timeoutsInARow = outcome === 'timeout' ? this.#timeoutsInARow + 1 : 0;
    const opens =
      this.#failuresInARow >= FAILURES_IN_A_ROW ||
      this.#timeoutsInARow >= TIMEOUTS_IN_A_ROW ||
      share >= OPEN_FROM_SHARE;
    if (this.#isOpen ? kind === 'probe' && now >= this.#resumesAt : opens) this.#open(now);
  }

  #open(now: number): void {
    const isRelapse = this.#isOpen || (this.#closedAt > 0 && now - this.#closedAt < FORGIVEN_AFTER_MS);
    this.#relapses = isRelapse ? this.#relapses + 1 : 0;
    this.#isOpen = true;
    this.#resumesAt = Math.max(this.#resumesAt, now + backoffMs(this.#relapses, PAUSES));
  }
}
