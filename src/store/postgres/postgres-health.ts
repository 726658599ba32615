import { HOUR_MS } from '../../base/lib/units.ts';
import type { StoreHealth } from '../../money/accounts/account-store.ts';
import { StoreProblem } from '../store-problem.ts';
import type { Queries } from './queries.ts';
import { withDeadline } from './with-deadline.ts';

/** Frequent health checks must not keep the database busy. */
const FRESH_MS = 1_000;
/** The longest wait for the probe. A connection that is cut can hang for much longer. */
const ANSWER_MS = 2_500;
/** The share of that time after which the pool gives up and reports its reason. */
const PROBE_SHARE = 0.9;

export type ProbeConnection = Pick<Queries, 'run'> & { close(): Promise<void> };

export type PostgresHealthParts = {
  /** Opens a connection for the probes only. A busy pool must not look like a database that is away. */
  connect(): ProbeConnection;
  /** The name of this process in the table of probes. */
  process: string;
  answerMs?: number;
  /** Monotonic time. */
  now?(): number;
};

/** The rows of processes that have ended are removed after this time. */
const STALE_MS = HOUR_MS;

const writeSql = `
  WITH gone AS (
    DELETE FROM probe WHERE process IN (
      SELECT process FROM probe WHERE at < now_ms() - $2::bigint AND process <> $1 FOR UPDATE SKIP LOCKED
    )
  )
  INSERT INTO probe (process, at) VALUES ($1, now_ms()) ON CONFLICT (process) DO UPDATE SET at = excluded.at`;

/**
 * Tests with a write whether the database accepts writes.
 * A success is valid for a second, and an answer never hangs.
 */
export class PostgresHealth implements StoreHealth {
  readonly #parts: Required<PostgresHealthParts>;
  #connection: ProbeConnection | undefined;
  #running: Promise<string | undefined> | undefined;
  #contactAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: PostgresHealthParts) {
    this.#parts = { answerMs: ANSWER_MS, now: () => performance.now(), ...parts };
  }

  /** The time since the last write that succeeded, in milliseconds. Infinity if none has. */
  get silentMs(): number {
    return this.#parts.now() - this.#contactAt;
  }

  /** Writes to the store, and returns the problem of the write. Concurrent callers share one write. */
  async problem(): Promise<string | undefined> {
    if (this.#isClosed) return 'The store is closed.';
    if (this.silentMs < FRESH_MS) return undefined;
    this.#running ??= this.#probe().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#running;
    const connection = this.#connection;
    // The row of a process that is gone is removed by the others.
    await connection?.run('DELETE FROM probe WHERE process = $1', [this.#parts.process]).catch(() => {});
    await connection?.close();
  }

  async #probe(): Promise<string | undefined> {
    this.#connection ??= this.#parts.connect();
    const connection = this.#connection;
    const outcome = withDeadline(this.#write(connection), this.#parts.answerMs);
    const problem = await outcome.catch((error: StoreProblem) => error.sentence);
    // A connection that hangs stays so after the network has healed. The next probe opens another one.
    if (problem !== undefined) this.#drop(connection);
    return problem;
  }

  async #write(connection: ProbeConnection): Promise<string | undefined> {
    try {
      await connection.run(writeSql, [this.#parts.process, STALE_MS], {
        deadlineMs: this.#parts.answerMs * PROBE_SHARE,
      });
      this.#contactAt = this.#parts.now();
      return undefined;
    } catch (error) {
      return error instanceof StoreProblem ? error.sentence : `The store cannot be written: ${error}.`;
    }
  }

  #drop(connection: ProbeConnection): void {
    if (this.#connection === connection) this.#connection = undefined;
    // The connection is broken, and so is its end.
    void connection.close().catch(() => {});
  }
}
