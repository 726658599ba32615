import { Histogram } from './histogram.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const NO_LABELS: readonly string[] = [];
const COMMIT_WRITES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

export type StoreSources = {
  /** Returns sizes in bytes. A size is undefined if the file cannot be read. */
  size(): { database: number | undefined; log: number | undefined };
  /** The writes that wait for a commit. */
  waitingWrites(): number;
  /** Returns the failed transactions and refused writes since the start. */
  failures(): number;
};

/** The metrics of the store: its commits and its files. */
export class StoreMetrics {
  readonly #seconds = new Histogram(
    {
      name: 'tollgate_store_commit_duration_seconds',
      help: 'Time from the start of a transaction until it is on disk.',
    },
    COMMIT_SECONDS,
  );
  readonly #writes = new Histogram(
    { name: 'tollgate_store_commit_writes', help: 'Writes that share one transaction.' },
    COMMIT_WRITES,
  );
  readonly all: readonly Metric[];

  constructor(sources: StoreSources) {
    this.all = [
      this.#seconds,
      this.#writes,
      single(
        { name: 'tollgate_store_waiting_writes', help: 'Writes that wait for the next transaction.' },
        sources.waitingWrites,
      ),
      single(
        {
          name: 'tollgate_store_write_failures_total',
          help: 'Transactions that failed, and writes that were refused because of an earlier failure.',
        },
        sources.failures,
        'counter',
      ),
      single(
        { name: 'tollgate_store_wal_bytes', help: 'Size of the write-ahead log.' },
        () => sources.size().log,
      ),
      single(
        { name: 'tollgate_store_size_bytes', help: 'Size of the database without its write-ahead log.' },
        () => sources.size().database,
      ),
    ];
  }

  /** Counts a transaction that is on disk. */
  committed(writes: number, milliseconds: number): void {
    this.#seconds.observe(NO_LABELS, milliseconds / 1_000);
    this.#writes.observe(NO_LABELS, writes);
  }
}
