import type { AttemptOutcome } from '../calling/attempt-outcome.ts';
import { MovingAverage } from './moving-average.ts';
import { hashText } from './rendezvous.ts';
import { RetryBudget } from './retry-budget.ts';

/** `open`: it is left alone until a time; `half-open`: that time has come, and one request at a time tries it. */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** A refusal costs milliseconds, and a share says more than a run of bad luck; a timeout costs a client minutes. */
const FAILURES_IN_A_ROW = 20;
const TIMEOUTS_IN_A_ROW = 3;
const FEWEST_ATTEMPTS = 20;
const OPEN_FROM_SHARE = 0.5;
const MEMORY_MS = 2_000;

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** A circuit that stays closed for so long begins with the first pause again. */
const FORGIVEN_AFTER_MS = 60_000;
const PROBES = 1;
/** Upstreams near their limit ask for such pauses again and again. */
const SHORT_PAUSE_MS = 1_000;
/** Where nothing else is left, so many requests at a time may still try a target that is being left alone. */
const LAST_RESORT_CALLS = 8;

/** Differences below this are noise, and what nobody measured yet is taken for as good. */
const LEAST_COST_MS = 50;
/** What an error costs against an answer: the time of a second attempt, and more. */
const ERROR_COST = 8;
/** Over this share of failures a target is not well, and further attempts at it are rationed. */
const UNWELL_FROM_SHARE = 0.1;

/** A whole answer begins when it is done, a stream with its first part: their times have nothing to say of each other. */
export type AnswerForm = 'whole' | 'stream';

/** What it may cost, for a request of that delivery. */
export type CostQuestion = { now: number; delivery: AnswerForm };

/**
 * What is known of one target: whether its circuit is closed, how fast it begins to answer, how often it fails, how much it has to do.
 * Times are milliseconds of one clock that does not go back.
 */
export class TargetHealth {
  readonly #budget = new RetryBudget();
  /** Of its name, for finding it again by a key. */
  readonly hash: number;
  inFlight = 0;
  readonly #firstByte: Readonly<Record<AnswerForm, MovingAverage>> = {
    whole: new MovingAverage(),
    stream: new MovingAverage(),
  };
  /** Both fade with time. */
  #attempts = 0;
  #failures = 0;
  #countedAt = 0;
  #failuresInARow = 0;
  #timeoutsInARow = 0;
  /** Nothing new before this; 0 while all is well. */
  #resumesAt = 0;
  #isOpen = false;
  #probes = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #closedAt = 0;
  #wasAway = false;

  constructor(name: string) {
    this.hash = hashText(name);
  }

  circuit(now: number): CircuitState {
    if (now < this.#resumesAt) return 'open';
    return this.#isOpen ? 'half-open' : 'closed';
  }

  /** Whether the next request may go here. */
  isReady(now: number): boolean {
    return now >= this.#resumesAt && (!this.#isOpen || this.#probes < PROBES);
  }

  isSettled(now: number): boolean {
    return !this.#isOpen && now >= this.#resumesAt;
  }

  /** Whether it may be tried although it is not ready, since nothing else is left. */
  takesLastResort(): boolean {
    return this.#probes < LAST_RESORT_CALLS;
  }

  isWell(now: number): boolean {
    return this.isSettled(now) && (this.#attempts < FEWEST_ATTEMPTS || this.failureShare < UNWELL_FROM_SHARE);
  }

  /** Until it is tried again; 0 when it may be now. */
  pauseLeftMs(now: number): number {
    return Math.max(0, this.#resumesAt - now);
  }

  get failureShare(): number {
    return this.#attempts === 0 ? 0 : this.#failures / this.#attempts;
  }

  /** What a request may expect to pay here, in milliseconds, however much there is to do: the less, the better. */
  cost({ now, delivery }: CostQuestion): number {
    const firstByte = this.#firstByte[delivery];
    // One request at a time finds out whether a target is still as slow as it was long ago.
    const isUnknown = this.inFlight === 0 && firstByte.isStale(now);
    const firstByteMs = Math.max(LEAST_COST_MS, (isUnknown ? undefined : firstByte.read()) ?? 0);
    const errorCost = this.#attempts < FEWEST_ATTEMPTS ? 0 : this.failureShare * ERROR_COST;
    return firstByteMs * (1 + errorCost);
  }

  /** Whether a request that failed elsewhere may come here: where all is well it is traffic like any other. */
  takesRetry(now: number): boolean {
    return this.isWell(now) || this.#budget.has(now);
  }

  /** True when the request is a probe: then `end()` has to be told so. */
  begin(isRetry: boolean, now: number): boolean {
    this.inFlight++;
    if (!isRetry) this.#budget.noteAttempt();
    else if (!this.isWell(now)) this.#budget.spend();
    const isProbe = this.#isOpen || now < this.#resumesAt;
    if (isProbe) this.#probes++;
    return isProbe;
  }

  firstByte(latencyMs: number, { now, delivery }: CostQuestion): void {
    this.#firstByte[delivery].take(latencyMs, now);
  }

  /** Undefined when too few are known. */
  firstByteMs(delivery: AnswerForm): number | undefined {
    return this.#firstByte[delivery].read();
  }

  /** Whether it takes who has waited for it: a moment's pause does not send a whole queue away. */
  takesWaiter(now: number): boolean {
    return this.isReady(now) || (!this.#isOpen && this.absenceLeftMs(now) === 0);
  }

  /** Until those who wait may count on it again. */
  absenceLeftMs(now: number): number {
    return Math.max(0, this.pauseLeftMs(now) - (this.#isOpen ? 0 : SHORT_PAUSE_MS));
  }

  /** Whether it went out of use or came back since it was last asked. */
  hasTurned(now: number): boolean {
    const isAway = this.#isOpen || this.absenceLeftMs(now) > 0;
    const turned = isAway !== this.#wasAway;
    this.#wasAway = isAway;
    return turned;
  }

  end(outcome: AttemptOutcome, isProbe: boolean, now: number): void {
    this.inFlight--;
    if (isProbe) this.#probes--;
    if (outcome === 'canceled') return; // the client left: that says nothing
    const failed = outcome !== 'ok';
    this.#count(failed, now);
    if (!failed) this.#recover(isProbe, now);
    else this.#worsen(outcome === 'timeout', isProbe, now);
  }

  /** The upstream asked for a pause. */
  coolDown(pauseMs: number, now: number): void {
    this.#resumesAt = Math.max(this.#resumesAt, now + pauseMs);
  }

  #count(failed: boolean, now: number): void {
    const kept = Math.exp((this.#countedAt - now) / MEMORY_MS);
    this.#attempts = this.#attempts * kept + 1;
    this.#failures = this.#failures * kept + (failed ? 1 : 0);
    this.#countedAt = now;
  }

  #recover(isProbe: boolean, now: number): void {
    this.#failuresInARow = 0;
    this.#timeoutsInARow = 0;
    if (!isProbe) return;
    this.#isOpen = false;
    this.#resumesAt = 0;
    this.#closedAt = now;
    this.#attempts = 0;
    this.#failures = 0;
  }

  #worsen(isTimeout: boolean, isProbe: boolean, now: number): void {
    this.#failuresInARow++;
    this.#timeoutsInARow = isTimeout ? this.#timeoutsInARow + 1 : 0;
    const opens =
      this.#failuresInARow >= FAILURES_IN_A_ROW ||
      this.#timeoutsInARow >= TIMEOUTS_IN_A_ROW ||
      (this.#attempts >= FEWEST_ATTEMPTS && this.failureShare >= OPEN_FROM_SHARE);
    if (this.#isOpen ? isProbe && now >= this.#resumesAt : opens) this.#open(now);
  }

  #open(now: number): void {
    const isRelapse = this.#isOpen || (this.#closedAt > 0 && now - this.#closedAt < FORGIVEN_AFTER_MS);
    this.#pauseMs = isRelapse ? Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2) : FIRST_PAUSE_MS;
    this.#isOpen = true;
    this.#resumesAt = Math.max(this.#resumesAt, now + this.#pauseMs);
  }
}
