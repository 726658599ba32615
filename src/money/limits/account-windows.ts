import { SlidingWindow } from './sliding-window.ts';

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 300_000;

/** What an account has taken lately, over all its keys. */
export class AccountWindows {
  readonly requests = new SlidingWindow(MINUTE_MS);
  readonly tokens = new SlidingWindow(MINUTE_MS);
  /** Requests that are being served, or wait to be. */
  underWay = 0;
  #longRequests: SlidingWindow | undefined;
  #reads: SlidingWindow | undefined;

  /** Kept from the first time that somebody asks: few plans have such a limit. */
  get longRequests(): SlidingWindow {
    this.#longRequests ??= new SlidingWindow(FIVE_MINUTES_MS);
    return this.#longRequests;
  }

  /** What asks nothing of a model. */
  get reads(): SlidingWindow {
    this.#reads ??= new SlidingWindow(MINUTE_MS);
    return this.#reads;
  }

  /** Nothing in it: an account without a trace here is the same. */
  isEmpty(nowMs: number): boolean {
    const windows = [this.requests, this.tokens, this.#longRequests, this.#reads];
    return this.underWay === 0 && windows.every((window) => !window || window.total(nowMs) === 0);
  }
}
