import type { KeyUse, KeyUseStore } from './key-use-store.ts';

/** Times wait this long, so that a busy key causes one write a minute. */
const FLUSH_MS = 60_000;
/** The most keys of one write. A larger one would delay the settlements that share its commit. */
const USES_AT_A_TIME = 256;
/**
 * The most keys that wait while the store is away. The times of further keys are dropped until it returns.
 */
export const MAX_WAITING = 10_000;

export type KeyUsesParts = {
  store: KeyUseStore;
  onFailure(error: unknown): void;
};

/**
 * Knows when each key was last used.
 * Times are kept in memory and written in groups, and no request waits for a write.
 */
export class KeyUses {
  readonly #parts: KeyUsesParts;
  /** The times that are not written yet. */
  readonly #waiting = new Map<string, number>();
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: KeyUsesParts) {
    this.#parts = parts;
  }

  note(keyId: string, at: number): void {
    if (this.#waiting.size >= MAX_WAITING && !this.#waiting.has(keyId)) return;
    this.#waiting.set(keyId, at);
    this.#timer ??= this.#later();
  }

  /**
   * Returns the last use of each key of an account that was used. It may name keys of other accounts too. The
   * latest minute of another node may be missing.
   */
  async of(accountId: string): Promise<ReadonlyMap<string, number>> {
    // A time that is written meanwhile leaves the map.
    const before = new Map(this.#waiting);
    const uses = await this.#parts.store.keyUses(accountId);
    for (const [keyId, at] of before) if (at > (uses.get(keyId) ?? 0)) uses.set(keyId, at);
    return uses;
  }

  /** Writes the times that wait. Times that could not be written wait for the next write. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing) await this.#writing;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #write(): Promise<void> {
    const writtenUses = Array.from(this.#waiting, ([keyId, at]): KeyUse => ({ keyId, at }));
    for (let start = 0; start < writtenUses.length; start += USES_AT_A_TIME) {
      const uses = writtenUses.slice(start, start + USES_AT_A_TIME);
      try {
        await this.#parts.store.saveKeyUses(uses);
      } catch (error) {
        this.#parts.onFailure(error);
        break;
      }
      for (const { keyId, at } of uses) if (this.#waiting.get(keyId) === at) this.#waiting.delete(keyId);
    }
    if (this.#waiting.size > 0) this.#timer ??= this.#later();
  }

  #later(): Timer {
    const timer = setTimeout(() => void this.flush(), FLUSH_MS);
    timer.unref();
    return timer;
  }
}
