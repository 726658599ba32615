import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { AttemptOutcome } from '../calling/attempt-outcome.ts';
import { FailureShare } from './failure-share.ts';
import { MovingAverage } from './moving-average.ts';
import { hashText } from './rendezvous.ts';
import { RetryBudget } from './retry-budget.ts';

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

/** Smaller differences are noise. An unmeasured target is assumed to be this good. */
const MIN_COST_MS = 50;
/** The cost of an error in units of an answer: the time of a second attempt, and more. */
const ERROR_COST = 8;
/** Above this share of failures a target is unhealthy, and its retries are rationed. */
const UNWELL_FROM_SHARE = 0.1;

/**
 * A whole answer begins when it is complete, and a stream with its first part, so
 * their times are not comparable.
 */
export type AnswerForm = 'whole' | 'stream';

/** Asks for the cost of a request of that delivery. */
export type CostQuestion = { now: number; delivery: AnswerForm };

/**
 * Tracks the health of one target: its circuit, its time to the first byte, its failures and its load. Times
 * are milliseconds of a monotonic clock.
 */
export class TargetHealth {
  readonly #budget = new RetryBudget();
  /** The hash of the target's name, for rendezvous hashing. */
  readonly hash: number;
  inFlight = 0;
  readonly #firstByte: Readonly<Record<AnswerForm, MovingAverage>> = {
    whole: new MovingAverage(),
    stream: new MovingAverage(),
  };
  readonly #failures = new FailureShare();
  #failuresInARow = 0;
  #timeoutsInARow = 0;
  /** No new requests before this time. 0 while the target is healthy. */
  #resumesAt = 0;
  #isOpen = false;
  #probes = 0;
  /** The relapses since the target was last healthy for long enough. */
  #relapses = 0;
  #closedAt = 0;
  #wasAway = false;
  #wasReady = true;

  constructor(name: string) {
    this.hash = hashText(name);
  }

  /** Reports whether many calls have failed since the latest success of a probe. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  circuit(now: number): CircuitState {
    if (now < this.#resumesAt) return 'open';
    return this.#isOpen ? 'half-open' : 'closed';
  }

  /** Reports whether the next request may use the target. */
  isReady(now: number): boolean {
    return now >= this.#resumesAt && (!this.#isOpen || this.#probes < PROBES);
  }

  isSettled(now: number): boolean {
    return !this.#isOpen && now >= this.#resumesAt;
  }

  /** Reports whether a request may try the target although it is not ready, since no other is left. */
  takesLastResort(): boolean {
    return this.#probes < LAST_RESORT_CALLS;
  }

  isWell(now: number): boolean {
    return this.isSettled(now) && (this.#failures.known ?? 0) < UNWELL_FROM_SHARE;
  }

  /** The time until the target is tried again. 0 if it may be tried now. */
  pauseLeftMs(now: number): number {
    return Math.max(0, this.#resumesAt - now);
  }

  get failureShare(): number {
    return this.#failures.share;
  }

  /**
   * Returns the expected cost of a request in milliseconds, regardless of the current load. Lower is better.
   */
  cost({ now, delivery }: CostQuestion): number {
    const firstByte = this.#firstByte[delivery];
    // One request at a time checks whether a target is still as slow as its last measurement.
    const isUnknown = this.inFlight === 0 && firstByte.isStale(now);
    const firstByteMs = Math.max(MIN_COST_MS, (isUnknown ? undefined : firstByte.read()) ?? 0);
    return firstByteMs * (1 + (this.#failures.known ?? 0) * ERROR_COST);
  }

  /**
   * Reports whether the target accepts a request that failed elsewhere.
   * A healthy target treats it like any other.
   */
  takesRetry(now: number): boolean {
    return this.isWell(now) || this.#budget.has(now);
  }

  /** Begins a call. Returns its kind, which the caller must pass to `end()`. */
  begin({ isRetry }: { isRetry: boolean }, now: number): CallKind {
    this.inFlight++;
    if (!isRetry) this.#budget.noteAttempt();
    else if (!this.isWell(now)) this.#budget.spend();
    const isProbe = this.#isOpen || now < this.#resumesAt;
    if (isProbe) this.#probes++;
    return isProbe ? 'probe' : 'ordinary';
  }

  firstByte(latencyMs: number, { now, delivery }: CostQuestion): void {
    this.#firstByte[delivery].take(latencyMs, now);
  }

  /** Returns the mean time to the first byte. Returns undefined if there are too few values. */
  firstByteMs(delivery: AnswerForm): number | undefined {
    return this.#firstByte[delivery].read();
  }

  /**
   * Reports whether the target accepts a request that has queued for it.
   * A short pause does not send a whole queue elsewhere.
   */
  takesWaiter(now: number): boolean {
    return this.isReady(now) || (!this.#isOpen && this.absenceLeftMs(now) === 0);
  }

  /** Returns the time until queued requests may count on the target again. */
  absenceLeftMs(now: number): number {
    return Math.max(0, this.pauseLeftMs(now) - (this.#isOpen ? 0 : SHORT_PAUSE_MS));
  }

  /**
   * Reports whether the target has failed or recovered since the last call. A target that takes a request
   * again has recovered. A success can end a short pause early, and a client that leaves ends a probe.
   */
  hasTurned(now: number): boolean {
    const isAway = this.#isOpen || this.absenceLeftMs(now) > 0;
    const isReady = this.isReady(now);
    const turned = isAway !== this.#wasAway || (isReady && !this.#wasReady);
    this.#wasAway = isAway;
    this.#wasReady = isReady;
    return turned;
  }

  end(outcome: AttemptOutcome, kind: CallKind, now: number): void {
    this.inFlight--;
    if (kind === 'probe') this.#probes--;
    if (outcome === 'canceled') return; // the client left, which says nothing about the target
    const failed = outcome !== 'ok';
    this.#failures.take(failed, now);
    if (!failed) this.#recover(kind, now);
    else this.#worsen(outcome, kind, now);
  }

  /** Pauses the target at the upstream's request. */
  coolDown(pauseMs: number, now: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, now + pauseMs);
  }

  #recover(kind: CallKind, now: number): void {
    this.#failuresInARow = 0;
    this.#timeoutsInARow = 0;
    if (kind !== 'probe') return;
    this.#isOpen = false;
    this.#resumesAt = 0;
    this.#closedAt = now;
    this.#failures.forget();
  }

  #worsen(outcome: AttemptOutcome, kind: CallKind, now: number): void {
    this.#failuresInARow++;
    this.#timeoutsInARow = outcome === 'timeout' ? this.#timeoutsInARow + 1 : 0;
    const opens =
      this.#failuresInARow >= FAILURES_IN_A_ROW ||
      this.#timeoutsInARow >= TIMEOUTS_IN_A_ROW ||
      (this.#failures.known ?? 0) >= OPEN_FROM_SHARE;
    if (this.#isOpen ? kind === 'probe' && now >= this.#resumesAt : opens) this.#open(now);
  }

  #open(now: number): void {
    const isRelapse = this.#isOpen || (this.#closedAt > 0 && now - this.#closedAt < FORGIVEN_AFTER_MS);
    this.#relapses = isRelapse ? this.#relapses + 1 : 0;
    this.#isOpen = true;
    this.#resumesAt = Math.max(this.#resumesAt, now + backoffMs(this.#relapses, PAUSES));
  }
}
