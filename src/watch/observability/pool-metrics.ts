import { Histogram } from './histogram.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const OPERATIONS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const NO_LABELS: readonly string[] = [];

export type PoolCounts = { open: number; idle: number; waiting: number };

/** The metrics of the connections to Postgres, and of the named statements on them. */
export class PoolMetrics {
  readonly #waits = new Histogram(
    {
      name: 'tollgate_store_pool_wait_seconds',
      help: 'Time that a call waited for a connection to Postgres.',
    },
    SECONDS,
  );
  readonly #statements = new Histogram(
    {
      name: 'tollgate_store_pool_statement_duration_seconds',
      help: 'Time of a named call to Postgres, with its wait for a connection.',
      labels: ['statement'],
    },
    SECONDS,
  );
  readonly #operations = new Histogram(
    {
      name: 'tollgate_store_pool_statement_operations',
      help: 'Operations that one named call to Postgres carried.',
      labels: ['statement'],
    },
    OPERATIONS,
  );
  #connectFailures = 0;
  #expired = 0;
  readonly all: readonly Metric[];

  constructor(counts: () => PoolCounts) {
    this.all = [
      single(
        { name: 'tollgate_store_pool_connections', help: 'Open connections to Postgres.' },
        () => counts().open,
      ),
      single(
        { name: 'tollgate_store_pool_idle_connections', help: 'Open connections to Postgres that are free.' },
        () => counts().idle,
      ),
      single(
        { name: 'tollgate_store_pool_waiting', help: 'Calls that wait for a connection to Postgres.' },
        () => counts().waiting,
      ),
      single(
        {
          name: 'tollgate_store_pool_connect_failures_total',
          help: 'Failed attempts to connect to Postgres.',
        },
        () => this.#connectFailures,
        'counter',
      ),
      single(
        {
          name: 'tollgate_store_pool_expired_total',
          help: 'Connections to Postgres that were closed because their call passed its deadline.',
        },
        () => this.#expired,
        'counter',
      ),
      this.#waits,
      this.#statements,
      this.#operations,
    ];
  }

  recordWait(milliseconds: number): void {
    this.#waits.observe(NO_LABELS, milliseconds / 1_000);
  }

  connectFailed(): void {
    this.#connectFailures++;
  }

  expired(): void {
    this.#expired++;
  }

  called(name: string, milliseconds: number): void {
    this.#statements.observe([name], milliseconds / 1_000);
  }

  grouped(name: string, operations: number): void {
    this.#operations.observe([name], operations);
  }
}
