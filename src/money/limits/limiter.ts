import type { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import { AccountWindows } from './account-windows.ts';
import { keyFault } from './key-fault.ts';
import { type LimitedAmounts, limitChecks } from './limit-checks.ts';
import type { LimitCount } from './limit-count.ts';
import type { LimitFault } from './limit-fault.ts';
import type { LimitFigures } from './limit-figures.ts';
import { type LimitState, limitLeft, tighterLimit } from './limit-state.ts';
import { readFault } from './read-fault.ts';
import { refusalOfFault } from './refusal-of-fault.ts';
import { SlidingWindow } from './sliding-window.ts';
import { takeCount } from './take-count.ts';

/** A key with limits of its own. */
export type LimitedKey = { id: string; limits: KeyLimits };

/** The amounts that a request takes of its limits. */
export type LimitedRequest = {
  accountId: string;
  figures: LimitFigures;
  /** The key, if it has limits of its own. */
  key?: LimitedKey | undefined;
  /** The client's network. Undefined if the plan has no limit for it. */
  network: string | undefined;
  requests: number;
  tokens: number;
  /** The request counts against the concurrency limit until its end. */
  isConcurrent: boolean;
};

const SWEEP_EVERY_MS = 60_000;

/** Enforces rates and concurrency. The windows of all accounts are in memory. */
export class Limiter {
  readonly #clock: Clock;
  readonly #accounts = new Map<string, AccountWindows>();
  /** The windows of keys that have limits of their own. */
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
    const amounts = this.#amountsOf(request);
    const fault = firstFault(amounts, now);
    return fault ? refusalOfFault(fault, amounts) : takeCount(amounts, now, this.#clock);
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
    const amounts = this.#amountsOf(request);
    const fault = firstFault(amounts, this.#clock.now());
    return fault && refusalOfFault(fault, amounts);
  }

  /** Returns the rest of the account's limits, or of the key's where the key has less left. */
  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState {
    const now = this.#clock.now();
    const windows = this.#accounts.get(accountId);
    const requests = limitLeft(windows?.requests, figures.requestsPerMinute, now);
    const tokens = limitLeft(windows?.tokens, figures.tokensPerMinute, now);
    if (key === undefined) return { requests, tokens };
    const keyWindows = this.#keys.get(key.id);
    const { requestsPerMin, tokensPerMin } = key.limits;
    return {
      requests: requestsPerMin
        ? tighterLimit(requests, limitLeft(keyWindows?.requests, requestsPerMin, now))
        : requests,
      tokens: tokensPerMin ? tighterLimit(tokens, limitLeft(keyWindows?.tokens, tokensPerMin, now)) : tokens,
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

  #amountsOf(request: LimitedRequest): LimitedAmounts {
    const { figures, requests, tokens, isConcurrent } = request;
    const windows = windowsOf(this.#accounts, request.accountId);
    const key = request.key && { ...request.key, windows: windowsOf(this.#keys, request.key.id) };
    const network = request.network === undefined ? undefined : this.#networkOf(request.network);
    return { figures, windows, key, network, requests, tokens, isConcurrent };
  }

  #networkOf(network: string): SlidingWindow {
    const existingWindow = this.#networks.get(network);
    if (existingWindow) return existingWindow;
    const window = new SlidingWindow(MINUTE_MS);
    this.#networks.set(network, window);
    return window;
  }

  /** Forgets accounts, keys and networks without recent requests. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs = nowMs + SWEEP_EVERY_MS;
    for (const windowsById of [this.#accounts, this.#keys])
      for (const [id, windows] of windowsById) if (windows.isEmpty(nowMs)) windowsById.delete(id);
    for (const [id, window] of this.#networks) if (window.total(nowMs) === 0) this.#networks.delete(id);
  }
}

function windowsOf(windowsById: Map<string, AccountWindows>, id: string): AccountWindows {
  const existingWindows = windowsById.get(id);
  if (existingWindows) return existingWindows;
  const windows = new AccountWindows();
  windowsById.set(id, windows);
  return windows;
}

/** If limits of the account and of the key refuse the request, the longer wait is reported. */
function firstFault(amounts: LimitedAmounts, nowMs: number): LimitFault | undefined {
  const ofKey = amounts.key && keyFault(amounts.key, amounts, nowMs);
  for (const check of limitChecks) {
    const fault = check(amounts, nowMs);
    if (fault) return ofKey && ofKey.waitMs > fault.waitMs ? ofKey : fault;
  }
  return ofKey;
}
