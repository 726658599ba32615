import type { AttemptOutcome } from '../calling/attempt-outcome.ts';
import { type CallKind, Circuit } from './circuit.ts';
import { FailureShare } from './failure-share.ts';
import { MovingAverage } from './moving-average.ts';
import { hashText } from './rendezvous.ts';
import { RetryBudget } from './retry-budget.ts';

/** Smaller differences are noise. An unmeasured target is assumed to be this good. */
const MIN_COST_MS = 50;
/** The cost of an error in units of an answer: the time of a second attempt, and more. */
const ERROR_COST = 8;
/** Above this share of failures a target is unhealthy, and its retries are rationed. */
const UNWELL_FROM_SHARE = 0.1;

/**
 * A whole answer begins when it is complete, and a stream with its first part, so their times are not
 * comparable.
 */
export type AnswerForm = 'whole' | 'stream';

/** Asks for the cost of a request of that delivery. */
export type CostQuestion = { now: number; delivery: AnswerForm };

/**
 * Tracks the health of one target: its circuit, its time to the first byte, its failures and its load. Times
 * are milliseconds of a monotonic clock.
 */
export class TargetHealth {
  /** The hash of the target's name, for rendezvous hashing. */
  readonly hash: number;
  readonly circuit = new Circuit();
  inFlight = 0;
  readonly #firstByte: Readonly<Record<AnswerForm, MovingAverage>> = {
    whole: new MovingAverage(),
    stream: new MovingAverage(),
  };
  readonly #failures = new FailureShare();
  readonly #retries = new RetryBudget();
  /** The state that `hasTurned()` has seen last. */
  #wasAway = false;
  #wasReady = true;

  constructor(name: string) {
    this.hash = hashText(name);
  }

  isWell(now: number): boolean {
    return this.circuit.isSettled(now) && (this.#failures.known ?? 0) < UNWELL_FROM_SHARE;
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
   * Reports whether the target accepts a request that failed elsewhere. A healthy target treats it like any
   * other.
   */
  takesRetry(now: number): boolean {
    return this.isWell(now) || this.#retries.has(now);
  }

  /** Begins a call. Returns its kind, which the caller must pass to `end()`. */
  begin({ isRetry }: { isRetry: boolean }, now: number): CallKind {
    this.inFlight++;
    if (!isRetry) this.#retries.noteAttempt();
    else if (!this.isWell(now)) this.#retries.spend();
    return this.circuit.begin(now);
  }

  firstByte(latencyMs: number, { now, delivery }: CostQuestion): void {
    this.#firstByte[delivery].take(latencyMs, now);
  }

  /** Returns the mean time to the first byte. Returns undefined if there are too few values. */
  firstByteMs(delivery: AnswerForm): number | undefined {
    return this.#firstByte[delivery].read();
  }

  end(outcome: AttemptOutcome, kind: CallKind, now: number): void {
    this.inFlight--;
    this.circuit.end(kind);
    if (outcome === 'canceled') return; // the client left, which says nothing about the target
    const hasFailed = outcome !== 'ok';
    this.#failures.take(hasFailed, now);
    if (hasFailed) {
      this.circuit.fail(outcome, kind, { share: this.#failures.known ?? 0, now });
    } else {
      this.circuit.succeed(kind, now);
      if (kind === 'probe') this.#failures.forget();
    }
  }

  /**
   * Reports whether the target has failed or recovered since the last call. A target that takes a request
   * again has recovered. A success can end a short pause early, and a client that leaves ends a probe.
   */
  hasTurned(now: number): boolean {
    const isAway = this.circuit.isOpen || this.circuit.absenceLeftMs(now) > 0;
    const isReady = this.circuit.isReady(now);
    const hasTurned = isAway !== this.#wasAway || (isReady && !this.#wasReady);
    this.#wasAway = isAway;
    this.#wasReady = isReady;
    return hasTurned;
  }
}
