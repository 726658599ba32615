import { type OverloadLevel, overloadLevel } from './overload-level.ts';

const TICK_MS = 250;
/** The ticks in one second. A shorter delay is a pause and not an overload. */
const KEPT_TICKS = 4;

export type OverloadSources = {
  now(): number;
  memoryBytes(): number;
  /** The memory that the process may use. */
  memoryLimitBytes: number;
  /** The used share of the file descriptors that requests may use. */
  descriptorShare(): number;
};

/** Samples the load of the process. The reported delay is the smallest of the last second. */
export class OverloadWatch {
  readonly #sources: OverloadSources;
  readonly #delays = Array.from({ length: KEPT_TICKS }, () => 0);
  #next = 0;
  #sampledAt: number;
  #timer: Timer | undefined;
  level: OverloadLevel = 'none';

  constructor(sources: OverloadSources) {
    this.#sources = sources;
    this.#sampledAt = sources.now();
  }

  start(): void {
    this.#timer = setInterval(() => this.sample(), TICK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Takes a sample. It is called every 250 ms, or later if the event loop is blocked. */
  sample(): void {
    const now = this.#sources.now();
    this.#delays[this.#next] = Math.max(0, now - this.#sampledAt - TICK_MS);
    this.#next = (this.#next + 1) % KEPT_TICKS;
    this.#sampledAt = now;
    this.level = overloadLevel({
      memory: this.#sources.memoryBytes() / this.#sources.memoryLimitBytes,
      descriptors: this.#sources.descriptorShare(),
      eventLoopDelayMs: Math.min(...this.#delays),
    });
  }
}
