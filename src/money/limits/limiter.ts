import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import { AccountWindows } from './account-windows.ts';
import { keyFault } from './key-fault.ts';
import { limitChecks, readFault, type Taking } from './limit-checks.ts';
import { type LimitFault, refusalOfFault } from './limit-faults.ts';
import type { LimitFigures } from './limit-figures.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A key with limits of its own. */
export type LimitedKey = { id: string; limits: KeyLimits };

export type LimitedRequest = {
  accountId: string;
  figures: LimitFigures;
  /** It is undefined if the key has no limits of its own. */
  key?: LimitedKey | undefined;
  /** The client's network. It is undefined if the plan has no limit for it. */
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
  /** Gives everything back, for a request that is refused after its admission. */
  withdraw(): void;
};

/** Counts nothing, for a request that no limits apply to. */
export const UNLIMITED: LimitCount = { correct() {}, release() {}, withdraw() {} };

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
  /** Only of keys with limits of their own. */
  readonly #keys = new Map<string, AccountWindows>();
  readonly #networks = new Map<string, SlidingWindow>();
  #nextSweepMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Checks every limit before it takes anything, so that a refused request takes nothing. */
  count(request: LimitedRequest): LimitCount | Refusal {
    const now = this.#clock.now();
    this.#sweep(now);
    const taking = this.#takingOf(request);
    const fault = firstFault(taking, now);
    return fault ? refusalOfFault(fault, taking) : take(taking, now, this.#clock);
  }

  /** Counts `count` reads, or refuses all of them. */
  countReads(accountId: string, figures: LimitFigures, count: number): Refusal | undefined {
    const nowMs = this.#clock.now();
    this.#sweep(nowMs);
    const { reads } = windowsOf(this.#accounts, accountId);
    const fault = readFault(reads, figures, { nowMs, count });
    if (fault) return refusalOfFault(fault, { figures });
    reads.take(nowMs, count);
    return undefined;
  }

  /** Returns what `count` would refuse now, without taking anything. */
  refusalFor(request: LimitedRequest): Refusal | undefined {
    const taking = this.#takingOf(request);
    const fault = firstFault(taking, this.#clock.now());
    return fault && refusalOfFault(fault, taking);
  }

  /** Returns the rest of the account's limits, or of the key's where the key has less left. */
  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState {
    const now = this.#clock.now();
    const windows = this.#accounts.get(accountId);
    const requests = left(windows?.requests, figures.requestsPerMinute, now);
    const tokens = left(windows?.tokens, figures.tokensPerMinute, now);
    if (key === undefined) return { requests, tokens };
    const own = this.#keys.get(key.id);
    const { requestsPerMin, tokensPerMin } = key.limits;
    return {
      requests: requestsPerMin ? tighterLimit(requests, left(own?.requests, requestsPerMin, now)) : requests,
      tokens: tokensPerMin ? tighterLimit(tokens, left(own?.tokens, tokensPerMin, now)) : tokens,
    };
  }

  /** The number of accounts in memory. */
  get size(): number {
    return this.#accounts.size;
  }

  /** The number of keys with limits of their own in memory. */
  get limitedKeys(): number {
    return this.#keys.size;
  }

  #takingOf(request: LimitedRequest): Taking {
    const { figures, requests, tokens, isConcurrent } = request;
    const windows = windowsOf(this.#accounts, request.accountId);
    const key = request.key && { ...request.key, windows: windowsOf(this.#keys, request.key.id) };
    const network = request.network === undefined ? undefined : this.#networkOf(request.network);
    return { figures, windows, key, network, requests, tokens, isConcurrent };
  }

  #networkOf(network: string): SlidingWindow {
    const known = this.#networks.get(network);
    if (known) return known;
    const window = new SlidingWindow(60_000);
    this.#networks.set(network, window);
    return window;
  }

  /** Forgets accounts, keys and networks without recent requests. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs = nowMs + SWEEP_EVERY_MS;
    for (const all of [this.#accounts, this.#keys])
      for (const [id, windows] of all) if (windows.isEmpty(nowMs)) all.delete(id);
    for (const [id, window] of this.#networks) if (window.total(nowMs) === 0) this.#networks.delete(id);
  }
}

function windowsOf(all: Map<string, AccountWindows>, id: string): AccountWindows {
  const known = all.get(id);
  if (known) return known;
  const windows = new AccountWindows();
  all.set(id, windows);
  return windows;
}

/** If limits of the account and of the key refuse the request, the longer wait is reported. */
function firstFault(taking: Taking, nowMs: number): LimitFault | undefined {
  const own = taking.key && keyFault(taking.key, taking, nowMs);
  for (const check of limitChecks) {
    const fault = check(taking, nowMs);
    if (fault) return own && own.waitMs > fault.waitMs ? own : fault;
  }
  return own;
}

function take(taking: Taking, nowMs: number, clock: Clock): LimitCount {
  const { figures, windows, key, network, requests, tokens, isConcurrent } = taking;
  windows.requests.take(nowMs, requests);
  if (figures.requestsPer5Minutes !== null) windows.longRequests.take(nowMs, requests);
  network?.take(nowMs, requests);
  windows.tokens.take(nowMs, tokens);
  if (isConcurrent) windows.underWay++;
  if (key) {
    key.windows.requests.take(nowMs, requests);
    key.windows.tokens.take(nowMs, tokens);
    if (isConcurrent) key.windows.underWay++;
  }
  return new TakenCount(taking, nowMs, clock);
}

class TakenCount implements LimitCount {
  readonly #taken: Taking;
  readonly #takenAtMs: number;
  readonly #clock: Clock;
  #isConcurrent: boolean;

  constructor(taken: Taking, takenAtMs: number, clock: Clock) {
    this.#taken = taken;
    this.#takenAtMs = takenAtMs;
    this.#clock = clock;
    this.#isConcurrent = taken.isConcurrent;
  }

  correct(actual: number): void {
    const { windows, key } = this.#taken;
    const now = this.#clock.now();
    this.#correct(windows.tokens, actual, now);
    if (key) this.#correct(key.windows.tokens, actual, now);
  }

  release(): void {
    if (!this.#isConcurrent) return;
    const { windows, key } = this.#taken;
    this.#isConcurrent = false;
    windows.underWay--;
    if (key) key.windows.underWay--;
  }

  withdraw(): void {
    this.release();
    this.correct(0);
    const { figures, windows, key, network, requests } = this.#taken;
    const taken = [windows.requests, key?.windows.requests, network];
    if (figures.requestsPer5Minutes !== null) taken.push(windows.longRequests);
    const now = this.#clock.now();
    for (const window of taken) window?.giveBack(this.#takenAtMs, now, requests);
  }

  #correct(window: SlidingWindow, actual: number, now: number): void {
    const { tokens } = this.#taken;
    if (actual > tokens) window.take(now, actual - tokens);
    else window.giveBack(this.#takenAtMs, now, tokens - actual);
  }
}

/** The limit with less left; the lower one if both have the same left. */
export const tighterLimit = (account: LimitLeft, key: LimitLeft): LimitLeft =>
  key.remaining < account.remaining || (key.remaining === account.remaining && key.limit < account.limit)
    ? key
    : account;

function left(window: SlidingWindow | undefined, limit: number, nowMs: number): LimitLeft {
  const taken = window?.total(nowMs) ?? 0;
  const resetMs = taken === 0 ? 0 : window!.waitMs(nowMs, 0);
  return { limit, remaining: Math.max(0, limit - taken), resetMs };
}
