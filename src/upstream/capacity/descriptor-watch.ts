import type { Descriptors } from './descriptors.ts';

const TICK_MS = 100;
/** The interval on systems that must list descriptors, which takes a millisecond for some thousands. */
const DEAR_TICK_MS = 1_000;
/** The runtime gives the descriptors of closed connections back within this time. */
const RELIEF_MS = 10;

const SHORT_FROM = 0.8;
const ENOUGH_BELOW = 0.7;
/** At this share the gateway stops accepting connections until the share falls below `OPEN_BELOW`. */
const SHUT_FROM = 1;
const OPEN_BELOW = 0.85;

/** A listener that can pause new connections. All methods may be called repeatedly. */
export type GuardedListener = {
  /** Closes the connections that a network has in excess, and returns their number. */
  relieve(): number;
  suspend(): void;
  resume(): void;
};

export type DescriptorParts = {
  descriptors: Pick<Descriptors, 'limit' | 'isCheap' | 'inUse' | 'share'>;
  /** Is called once when descriptors run short, and once when there are enough again. */
  onChange(isShort: boolean, facts: { in_use: number; limit: number }): void;
};

/**
 * Keeps the process from running out of file descriptors. Without descriptors the runtime spins on
 * connections that it cannot accept.
 * It also reports every host as refusing connections, and ends the process when a module must be loaded.
 */
export class DescriptorWatch {
  readonly #parts: DescriptorParts;
  readonly #timer: Timer;
  #relief: Timer | undefined;
  #listener: GuardedListener | undefined;
  #isShort = false;
  #isShut = false;
  share = 0;

  constructor(parts: DescriptorParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.sample(), parts.descriptors.isCheap ? TICK_MS : DEAR_TICK_MS);
    this.#timer.unref();
  }

  /** Suspends this listener while descriptors are nearly exhausted. */
  guard(listener: GuardedListener): void {
    this.#listener = listener;
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#relief);
  }

  /** Takes a sample. The timer calls this method. */
  sample(): void {
    const { descriptors, onChange } = this.#parts;
    const inUse = descriptors.inUse();
    this.share = descriptors.share(inUse);
    const isShort = this.share >= (this.#isShort ? ENOUGH_BELOW : SHORT_FROM);
    if (isShort !== this.#isShort) {
      this.#isShort = isShort;
      onChange(isShort, { in_use: inUse, limit: descriptors.limit });
    }
    // A network with too many connections gives some back first.
    // Suspending would also turn away everybody else.
    if (isShort && this.#relieve()) return;
    this.#isShut = this.share >= (this.#isShut ? OPEN_BELOW : SHUT_FROM);
    if (this.#isShut) this.#listener?.suspend();
    else this.#listener?.resume();
  }

  #relieve(): boolean {
    if (!this.#listener || this.#listener.relieve() === 0) return false;
    clearTimeout(this.#relief);
    this.#relief = setTimeout(() => this.sample(), RELIEF_MS);
    this.#relief.unref();
    return true;
  }
}
