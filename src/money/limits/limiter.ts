import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { AccountWindows } from './account-windows.ts';
import { type LimitFault, limitChecks, readFault, type Taking } from './limit-checks.ts';
import type { LimitFigures } from './limit-figures.ts';
import { SlidingWindow } from './sliding-window.ts';

export type LimitedRequest = {
  accountId: string;
  figures: LimitFigures;
  /** The client's network; undefined: the plan has no limit for it. */
  network: string | undefined;
  requests: number;
  tokens: number;
  /** The request counts against the concurrency limit until its end. */
  isConcurrent: boolean;
};

/** What one request counts against the limits. */
export type LimitCount = {
  /** Replaces the estimate by the actual number of tokens. */
  correct(tokens: number): void;
  /** Ends the count against the concurrency limit. Later calls do nothing. */
  release(): void;
};

/** The rest of an account's limits, for the response headers. */
export type LimitState = {
  requests: LimitLeft;
  tokens: LimitLeft;
};
export type LimitLeft = { limit: number; remaining: number; resetMs: number };

const SWEEP_EVERY_MS = 60_000;

/** Enforces rates and concurrency. The windows of all accounts are in memory. */
export class Limiter {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, AccountWindows>();
  readonly #networks = new Map<string, SlidingWindow>();
  #nextSweepMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Checks every limit before it takes anything, so that a refused request takes nothing. */
  admit(request: LimitedRequest): LimitCount | Refusal {
    const now = this.#clock.now();
    this.#sweep(now);
    const taking = this.#takingOf(request);
    return firstFault(taking, now) ?? take(taking, now, this.#clock);
  }

  /** Counts `count` reads, or refuses all of them. */
  admitReads(accountId: string, figures: LimitFigures, count: number): Refusal | undefined {
    const nowMs = this.#clock.now();
    this.#sweep(nowMs);
    const { reads } = this.#windowsOf(accountId);
    const fault = readFault(reads, figures, { nowMs, count });
    if (fault) return refusalOf(fault);
    reads.take(nowMs, count);
    return undefined;
  }

  /** Returns what `admit` would refuse now, without taking anything. */
  refusalFor(request: LimitedRequest): Refusal | undefined {
    return firstFault(this.#takingOf(request), this.#clock.now());
  }

  stateOf(accountId: string, figures: LimitFigures): LimitState {
    const now = this.#clock.now();
    const windows = this.#accounts.get(accountId);
    return {
      requests: left(windows?.requests, figures.requestsPerMinute, now),
      tokens: left(windows?.tokens, figures.tokensPerMinute, now),
    };
  }

  /** The number of accounts in memory. */
  get size(): number {
    return this.#accounts.size;
  }

  #takingOf(request: LimitedRequest): Taking {
    const { figures, requests, tokens, isConcurrent } = request;
    const windows = this.#windowsOf(request.accountId);
    const network = request.network === undefined ? undefined : this.#networkOf(request.network);
    return { figures, windows, network, requests, tokens, isConcurrent };
  }

  #windowsOf(accountId: string): AccountWindows {
    const known = this.#accounts.get(accountId);
    if (known) return known;
    const windows = new AccountWindows();
    this.#accounts.set(accountId, windows);
    return windows;
  }

  #networkOf(network: string): SlidingWindow {
    const known = this.#networks.get(network);
    if (known) return known;
    const window = new SlidingWindow(60_000);
    this.#networks.set(network, window);
    return window;
  }

  /** Forgets accounts without recent requests. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs = nowMs + SWEEP_EVERY_MS;
    for (const [id, windows] of this.#accounts) if (windows.isEmpty(nowMs)) this.#accounts.delete(id);
    for (const [id, window] of this.#networks) if (window.total(nowMs) === 0) this.#networks.delete(id);
  }
}

function firstFault(taking: Taking, nowMs: number): Refusal | undefined {
  for (const check of limitChecks) {
    const fault = check(taking, nowMs);
    if (fault) return refusalOf(fault);
  }
  return undefined;
}

const refusalOf = ({ code, message, waitMs }: LimitFault): Refusal =>
  new Refusal(code, { message, retryAfterMs: waitMs });

function take(taking: Taking, nowMs: number, clock: Clock): LimitCount {
  const { figures, windows, network, requests, tokens, isConcurrent } = taking;
  windows.requests.take(nowMs, requests);
  if (figures.requestsPer5Minutes !== null) windows.longRequests.take(nowMs, requests);
  network?.take(nowMs, requests);
  windows.tokens.take(nowMs, tokens);
  if (isConcurrent) windows.underWay++;
  return new TakenCount(taking, nowMs, clock);
}

class TakenCount implements LimitCount {
  readonly #windows: AccountWindows;
  readonly #tokens: number;
  readonly #takenAtMs: number;
  readonly #clock: Clock;
  #isConcurrent: boolean;

  constructor({ windows, tokens, isConcurrent }: Taking, takenAtMs: number, clock: Clock) {
    this.#windows = windows;
    this.#tokens = tokens;
    this.#takenAtMs = takenAtMs;
    this.#clock = clock;
    this.#isConcurrent = isConcurrent;
  }

  correct(actual: number): void {
    const now = this.#clock.now();
    const { tokens } = this.#windows;
    if (actual > this.#tokens) tokens.take(now, actual - this.#tokens);
    else tokens.giveBack(this.#takenAtMs, now, this.#tokens - actual);
  }

  release(): void {
    if (this.#isConcurrent) this.#windows.underWay--;
    this.#isConcurrent = false;
  }
}

function left(window: SlidingWindow | undefined, limit: number, nowMs: number): LimitLeft {
  const taken = window?.total(nowMs) ?? 0;
  const resetMs = taken === 0 ? 0 : window!.waitMs(nowMs, 0);
  return { limit, remaining: Math.max(0, limit - taken), resetMs };
}
