import type { Clock } from '../../base/lib/clock.ts';
import type { LimitedAmounts } from './limit-checks.ts';
import type { LimitCount } from './limit-count.ts';
import type { SlidingWindow } from './sliding-window.ts';

/** Counts a request against every limit. */
export function takeCount(amounts: LimitedAmounts, nowMs: number, clock: Clock): LimitCount {
  const { figures, windows, key, network, requests, tokens, isConcurrent } = amounts;
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
  return new TakenCount(amounts, nowMs, clock);
}

/** The count of a request that was admitted by the limits of this process. */
class TakenCount implements LimitCount {
  readonly #taken: LimitedAmounts;
  readonly #takenAtMs: number;
  readonly #clock: Clock;
  #isConcurrent: boolean;

  constructor(taken: LimitedAmounts, takenAtMs: number, clock: Clock) {
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
    const counted = [windows.requests, key?.windows.requests, network];
    if (figures.requestsPer5Minutes !== null) counted.push(windows.longRequests);
    const now = this.#clock.now();
    for (const window of counted) window?.giveBack(this.#takenAtMs, now, requests);
  }

  #correct(window: SlidingWindow, actual: number, now: number): void {
    const { tokens } = this.#taken;
    if (actual > tokens) window.take(now, actual - tokens);
    else window.giveBack(this.#takenAtMs, now, tokens - actual);
  }
}
