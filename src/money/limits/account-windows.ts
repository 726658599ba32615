import { MINUTE_MS } from '../../base/lib/units.ts';
import { SlidingWindow } from './sliding-window.ts';

const FIVE_MINUTES_MS = 300_000;

/** The recent usage of an account across all its keys, or of one key with limits of its own. */
export class AccountWindows {
  readonly requests = new SlidingWindow(MINUTE_MS);
  readonly tokens = new SlidingWindow(MINUTE_MS);
  /** Requests that are being served or are queued. */
  underWay = 0;
  #longRequests: SlidingWindow | undefined;
  #reads: SlidingWindow | undefined;

  /** Created on first use, since few plans have this limit. */
  get longRequests(): SlidingWindow {
    this.#longRequests ??= new SlidingWindow(FIVE_MINUTES_MS);
    return this.#longRequests;
  }

  /** Requests that call no model. */
  get reads(): SlidingWindow {
    this.#reads ??= new SlidingWindow(MINUTE_MS);
    return this.#reads;
  }

  /** Reports whether all windows are empty, so that the account can be forgotten. */
  isEmpty(nowMs: number): boolean {
    const windows = [this.requests, this.tokens, this.#longRequests, this.#reads];
    return this.underWay === 0 && windows.every((window) => !window || window.total(nowMs) === 0);
  }
}
