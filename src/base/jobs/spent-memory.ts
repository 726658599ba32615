import type { StartPace } from './start-pace.ts';

/** What work in the background may leave behind before it is collected. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Counts what work leaves behind, and has it collected while nobody waits for an answer: by itself the runtime lets a batch of 10 MB leave
 * 70 MB lying. A collection takes some 20 ms, which is why it is not done while somebody does.
 */
export class SpentMemory {
  readonly #pace: Pick<StartPace, 'isQuiet'>;
  readonly #collect: () => void;
  #bytes = 0;

  constructor(pace: Pick<StartPace, 'isQuiet'>, collect: () => void = () => Bun.gc(true)) {
    this.#pace = pace;
    this.#collect = collect;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#collectFrom(MOST_BYTES);
  }

  /** A piece of work is done: what it has left is collected sooner. */
  done(): void {
    this.#collectFrom(MOST_BYTES / 8);
  }

  #collectFrom(leastBytes: number): void {
    if (this.#bytes < leastBytes || !this.#pace.isQuiet) return;
    this.#bytes = 0;
    this.#collect();
  }
}
