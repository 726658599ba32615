import { gather } from '../gather.ts';
import { StoreProblem } from '../store-problem.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sqliteProblem } from './sqlite-problem.ts';
import type { StoreChange } from './store-change.ts';
import { takeBatch } from './take-batch.ts';

/** Further changes are refused at this queue length. This bounds memory while the disk stalls. */
export const MAX_WAITING_WRITES = 10_000;

const RETRY_MS = 1_000;
type Write = { change: StoreChange; resolve: () => void; reject: (reason: unknown) => void };
/** Writes that threw, with their errors. */
type Failures = ReadonlyMap<Write, unknown>;

const NO_FAILURES: Failures = new Map();
const ignore = (): void => {};

export type CommitParts = {
  connection: SqliteConnection;
  /**
   * Returns the problem that prevents writes, or undefined. The writer calls it before every transaction. The
   * writes of the transaction fail with the problem.
   */
  refusal: () => StoreProblem | undefined;
  /** Resolves when the commit is on disk. */
  flush: () => Promise<void>;
  /** Returns a promise if the transaction must wait before it begins. */
  pause?: () => Promise<void> | undefined;
  /** The pause before a retry. */
  retryMs?: number;
  /** The time for which a transaction gathers writes. */
  gatherMs?: number;
};

/** Receives each transaction that is on disk. */
export type CommitObserver = (writes: number, milliseconds: number) => void;

/**
 * Group commit: concurrent writes share one transaction and one flush, which runs outside the event loop. A
 * promise resolves after the flush. A job that throws is rolled back alone.
 */
export class GroupCommitWriter {
  readonly #parts: CommitParts;
  /** The number of failed transactions, and of writes that the writer itself refused. It only increases. */
  failures = 0;
  observer: CommitObserver = ignore;
  #waiting: Write[] = [];
  /** The transaction that is being flushed, or is about to begin. */
  #working: Promise<void> | undefined;
  /** The flush of the latest commit, while it is under way. It never rejects. */
  #flushing: Promise<void> | undefined;
  /** The reason why the latest commit is not on disk. */
  #stuck: unknown;
  #isClosed = false;
  /** The number of writes in the latest transaction. */
  #written = 0;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  /** The number of writes that wait for the next transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Returns what was read from the connection, after the flush that is under way. Before it, a loss of power
   * could take the latest commit back. A read does not wait for further flushes if this one fails.
   */
  async afterFlush<T>(found: T): Promise<T> {
    if (this.#flushing) await this.#flushing;
    return found;
  }

  /** Runs `job` like the `run` of a change, and returns its result. */
  async write<T>(job: (connection: SqliteConnection) => T, undo: () => void = ignore): Promise<T> {
    let value: T;
    const run = (connection: SqliteConnection): void => {
      value = job(connection);
    };
    await this.change({ run, undo, onWritten: ignore, onFailure: ignore });
    return value!;
  }

  change(change: StoreChange): Promise<void> {
    return new Promise((resolve, reject) => {
      const write = { change, resolve, reject };
      const problem = this.#problem();
      if (problem) {
        this.failures += 1;
        fail(write, problem);
        return;
      }
      this.#waiting.push(write);
      this.#working ??= this.#work();
    });
  }

  /** Refuses new writes, and commits those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#working;
  }

  /** The reason why new writes are refused. */
  #problem(): unknown {
    if (this.#isClosed) return closedProblem();
    if (this.#stuck) return this.#stuck;
    return this.#waiting.length >= MAX_WAITING_WRITES ? overloadProblem() : undefined;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#parts.pause?.();
      await this.#commitNext();
    }
    this.#working = undefined;
  }

  #gather(): Promise<void> {
    return gather({
      waiting: () => this.#waiting.length,
      written: this.#written,
      maxMs: this.#parts.gatherMs,
    });
  }

  async #commitNext(): Promise<void> {
    const batch = takeBatch(this.#waiting);
    this.#written = batch.length;
    const begunAt = performance.now();
    try {
      const failures = this.#commit(batch);
      await this.#flush();
      this.observer(batch.length, performance.now() - begunAt);
      for (const write of batch)
        if (failures.has(write)) fail(write, failures.get(write));
        else succeed(write);
    } catch (error) {
      this.failures += 1;
      this.#rollBack();
      this.#fail(batch, error);
    }
  }

  /** A commit cannot be undone. Until it is on disk, its writers wait and new writes are refused. */
  async #flush(): Promise<void> {
    for (;;) {
      try {
        const flushed = this.#parts.flush();
        this.#flushing = flushed.catch(ignore);
        await flushed;
        this.#stuck = undefined;
        return;
      } catch (error) {
        if (this.#isClosed) throw error;
        this.failures += 1;
        this.#stuck = sqliteProblem(error, this.#connection.path) ?? error;
        this.#fail(this.#waiting.splice(0), error);
        await Bun.sleep(this.#parts.retryMs ?? RETRY_MS);
      } finally {
        this.#flushing = undefined;
      }
    }
  }

  #fail(writes: readonly Write[], error: unknown): void {
    const reason = sqliteProblem(error, this.#connection.path) ?? error;
    for (const write of writes) fail(write, reason);
  }

  get #connection(): SqliteConnection {
    return this.#parts.connection;
  }

  #commit(batch: Write[]): Failures {
    const refusal = this.#parts.refusal();
    if (refusal) throw refusal;
    this.#connection.run('BEGIN IMMEDIATE');
    const failures = this.#runAll(batch) ? NO_FAILURES : this.#runEach(batch);
    try {
      this.#connection.run('COMMIT');
    } catch (error) {
      undoAll(batch.filter((write) => !failures.has(write)));
      throw error;
    }
    return failures;
  }

  /**
   * Runs the writes in the transaction itself.
   * Returns false if a write threw and the transaction was begun anew.
   */
  #runAll(batch: Write[]): boolean {
    let begun = 0;
    try {
      for (const write of batch) {
        begun += 1;
        write.change.run(this.#connection);
      }
      return true;
    } catch (error) {
      undoAll(batch.slice(0, begun));
      if (this.#isLost(error)) throw error;
      this.#connection.run('ROLLBACK');
      this.#connection.run('BEGIN IMMEDIATE');
      return false;
    }
  }

  #runEach(batch: Write[]): Failures {
    const failures = new Map<Write, unknown>();
    for (const [index, write] of batch.entries()) {
      this.#connection.run('SAVEPOINT job');
      try {
        write.change.run(this.#connection);
      } catch (error) {
        write.change.undo();
        if (this.#isLost(error)) {
          undoAll(batch.slice(0, index).filter((earlier) => !failures.has(earlier)));
          throw error;
        }
        this.#connection.run('ROLLBACK TO job');
        failures.set(write, error);
      }
      this.#connection.run('RELEASE job');
    }
    return failures;
  }

  /**
   * Reports whether the whole transaction is lost. A full disk affects all writes, and SQLite may have rolled
   * them back already.
   */
  #isLost(error: unknown): boolean {
    return sqliteProblem(error, this.#connection.path) !== undefined || !this.#connection.inTransaction;
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
    } catch {
      // The next BEGIN fails for the same reason, reports it to its writers, and rolls back again.
    }
  }
}

/** Undoes writes that have run, in the reverse order. */
function undoAll(writes: readonly Write[]): void {
  for (const { change } of writes.toReversed()) change.undo();
}

/** A bug in one callback must not affect other writes. */
function succeed({ change, resolve, reject }: Write): void {
  try {
    change.onWritten();
    resolve();
  } catch (error) {
    reject(error);
  }
}

function fail({ change, reject }: Write, reason: unknown): void {
  try {
    change.onFailure();
    reject(reason);
  } catch (error) {
    reject(error);
  }
}

function closedProblem(): StoreProblem {
  return new StoreProblem('The store is closed', 'the server is stopping; retry after the restart');
}

function overloadProblem(): StoreProblem {
  return new StoreProblem(
    `${MAX_WAITING_WRITES} changes are already waiting for the disk`,
    'retry later, and check why the disk is slow',
  );
}
