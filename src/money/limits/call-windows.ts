import { MINUTE_MS } from '../../base/lib/units.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A window takes 1 KB. Beyond this number, those that were used the longest ago are forgotten. */
const MAX_WINDOWS = 5_000;

/** Counts calls in any 60 seconds by a name, in this process. */
export class CallWindows {
  /** The least recently used window is the first one. */
  readonly #windows = new Map<string, SlidingWindow>();

  /**
   * Counts a call. Returns the time to wait if there were `limit` calls already.
   * A refused call is not counted.
   */
  count(name: string, limit: number, nowMs: number): number | undefined {
    const window = this.#touch(name, nowMs);
    if (window.total(nowMs) >= limit) return window.waitMs(nowMs, limit - 1);
    window.take(nowMs, 1);
    return undefined;
  }

  #touch(name: string, nowMs: number): SlidingWindow {
    const existingWindow = this.#windows.get(name);
    if (existingWindow) this.#windows.delete(name);
    else this.#forget(nowMs);
    const window = existingWindow ?? new SlidingWindow(MINUTE_MS);
    this.#windows.set(name, window);
    return window;
  }

  /** Makes space for a window by removing the oldest one, if that is empty. */
  #forget(nowMs: number): void {
    const [oldest] = this.#windows;
    if (oldest && (this.#windows.size >= MAX_WINDOWS || oldest[1].total(nowMs) === 0))
      this.#windows.delete(oldest[0]);
  }
}
