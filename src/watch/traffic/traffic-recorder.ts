import { type FoldParts, TrafficFold } from './traffic-fold.ts';
import { TrafficRows } from './traffic-rows.ts';
import type { TrafficStore } from './traffic-store.ts';

/** Figures wait this long, so that many requests share a row. */
const FLUSH_MS = 1_500;
/** The rows of one write. A larger one would delay the settlements that share its commit. */
const ROWS_AT_A_TIME = 300;

export type TrafficRecorderParts = Omit<FoldParts, 'nodeId'> & {
  store: Pick<TrafficStore, 'saveTraffic'>;
  failed(error: unknown): void;
};

/** Counts ended requests in memory, and writes the sums every two seconds. No request waits for it. */
export class TrafficRecorder {
  /** Returns the id of this process among the nodes. Set before the first request. */
  nodeId: () => string = () => '';
  readonly #parts: TrafficRecorderParts;
  readonly #fold: TrafficFold;
  readonly #rows: TrafficRows;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: TrafficRecorderParts) {
    this.#parts = parts;
    this.#fold = new TrafficFold({ ...parts, nodeId: () => this.nodeId() });
    this.#rows = new TrafficRows(parts.now());
  }

  get lost(): number {
    return this.#rows.lost;
  }

  /** Counts a request that has ended. */
  add(...ended: Parameters<TrafficFold['add']>): void {
    this.#fold.add(...ended);
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  /** Writes what was counted. What a store does not take is written with the next flush. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #write(): Promise<void> {
    this.#rows.add(this.#fold.take());
    for (;;) {
      const rows = this.#rows.take(ROWS_AT_A_TIME);
      if (rows.length === 0) break;
      try {
        await this.#parts.store.saveTraffic(rows);
      } catch (error) {
        this.#rows.keep(rows);
        this.#parts.failed(error);
        this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
        return;
      }
    }
    this.#rows.forget(this.#parts.now());
  }
}
