import type { Descriptors } from './descriptors.ts';

const SAMPLE_EVERY_MS = 100;
/** The interval on systems that must list descriptors, which takes a millisecond for some thousands. */
const LIST_EVERY_MS = 1_000;
/** The runtime gives the descriptors of closed connections back within this time. */
const RELIEF_MS = 10;

/** The shares of the limit in use that begin and end a shortage, which operators are notified of. */
const SHORTAGE = { from: 0.8, endsBelow: 0.7 };
/** The shares that begin and end a suspension, in which the gateway accepts no connections. */
const SUSPENSION = { from: 1, endsBelow: 0.85 };

/** A listener that can pause new connections. All methods may be called repeatedly. */
export type GuardedListener = {
  /** Closes the connections that a network has in excess, and returns their number. */
  relieve(): number;
  suspend(): void;
  resume(): void;
};

export type DescriptorParts = {
  descriptors: Pick<Descriptors, 'limit' | 'isCheap' | 'inUse' | 'share'>;
  /** Learns once that descriptors run short, and once that there are enough again. */
  onChange(isShort: boolean, facts: { in_use: number; limit: number }): void;
};

/**
 * Keeps the process from running out of file descriptors. Without descriptors the runtime spins on
 * connections that it cannot accept. It also reports every host as refusing connections, and ends the process
 * when a module must be loaded.
 */
export class DescriptorWatch {
  readonly #parts: DescriptorParts;
  readonly #timer: Timer;
  #relief: Timer | undefined;
  #listener: GuardedListener | undefined;
  #isShort = false;
  #isSuspended = false;
  /** The part of the limit that is in use, as the latest sample found it. */
  share = 0;

  constructor(parts: DescriptorParts) {
    this.#parts = parts;
    this.#timer = setInterval(
      () => this.sample(),
      parts.descriptors.isCheap ? SAMPLE_EVERY_MS : LIST_EVERY_MS,
    );
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
    const isShort = this.share >= (this.#isShort ? SHORTAGE.endsBelow : SHORTAGE.from);
    if (isShort !== this.#isShort) {
      this.#isShort = isShort;
      onChange(isShort, { in_use: inUse, limit: descriptors.limit });
    }
    // A network with too many connections gives some back first. Suspending would also turn away everybody
    // else.
    if (isShort && this.#relieve()) return;
    this.#isSuspended = this.share >= (this.#isSuspended ? SUSPENSION.endsBelow : SUSPENSION.from);
    if (this.#isSuspended) this.#listener?.suspend();
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
