import { StoreProblem } from '../store-problem.ts';
import type { SqliteConnection } from './connection.ts';
import { sqliteProblem } from './sqlite-problem.ts';
import type { Change } from './store-change.ts';
import { takeBatch } from './take-batch.ts';

/** Beyond this many waiting changes a new one is refused: memory stays bounded when the disk stalls. */
export const MAXIMUM_WAITING_WRITES = 10_000;

const RETRY_MS = 1_000;
type Write = { change: Change; resolve: () => void; reject: (reason: unknown) => void };
/** Writes that threw, and what. */
type Failures = ReadonlyMap<Write, unknown>;

const NO_FAILURES: Failures = new Map();

export type CommitParts = {
  connection: SqliteConnection;
  /** Asked before every transaction: a problem that it returns fails the writes of that one. */
  refusal: () => StoreProblem | undefined;
  /** Resolves when what was committed is on the disk. */
  flush: () => Promise<void>;
  /** What a transaction has to wait for before it begins, if anything. */
  pause?: () => Promise<void> | undefined;
  /** After how long it is tried again. */
  retryMs?: number;
};

/**
 * Writes that come together share one transaction, and so one flush to the disk, which happens beside the event loop. A promise resolves
 * only once the flush has returned. A job that throws is rolled back by itself.
 */
export class GroupCommitWriter {
  readonly #parts: CommitParts;
  /** Transactions that failed, or writes refused because of the writer itself. It only grows. */
  failures = 0;
  #waiting: Write[] = [];
  /** The transaction that is being made durable, or is about to begin. */
  #working: Promise<void> | undefined;
  /** Why what was committed is not on the disk. */
  #stuck: unknown;
  #closed = false;

  constructor(parts: CommitParts) {
    this.#parts = parts;
  }

  /** Writes what `job` does, as `run` of a change does, and returns what it returned. */
  async write<T>(job: (connection: SqliteConnection) => T, undo: () => void = nothing): Promise<T> {
    let value: T;
    const run = (connection: SqliteConnection): void => {
      value = job(connection);
    };
    await this.change({ run, undo, written: nothing, failed: nothing });
    return value!;
  }

  change(change: Change): Promise<void> {
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

  /** Takes no more writes, and commits those that wait. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#working;
  }

  /** Why nobody is taken on. */
  #problem(): unknown {
    if (this.#closed) return closedProblem();
    if (this.#stuck) return this.#stuck;
    return this.#waiting.length >= MAXIMUM_WAITING_WRITES ? overloadProblem() : undefined;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Not a microtask: sockets are served between two commits, and what they bring joins the next one.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#parts.pause?.();
      await this.#commitNext();
    }
    this.#working = undefined;
  }

  async #commitNext(): Promise<void> {
    const batch = takeBatch(this.#waiting);
    try {
      const failures = this.#commit(batch);
      await this.#flush();
      for (const write of batch)
        if (failures.has(write)) fail(write, failures.get(write));
        else succeed(write);
    } catch (error) {
      this.failures += 1;
      this.#rollBack();
      this.#fail(batch, error);
    }
  }

  /** What was committed cannot be taken back: until it is on the disk its writers wait, and nobody else is taken on. */
  async #flush(): Promise<void> {
    for (;;) {
      try {
        await this.#parts.flush();
        this.#stuck = undefined;
        return;
      } catch (error) {
        if (this.#closed) throw error;
        this.failures += 1;
        this.#stuck = sqliteProblem(error, this.#connection.path) ?? error;
        this.#fail(this.#waiting.splice(0), error);
        await new Promise((resolve) => setTimeout(resolve, this.#parts.retryMs ?? RETRY_MS));
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
    this.#connection.run('COMMIT');
    return failures;
  }

  /** Savepoints cost as much again as the writes. False: one has thrown, and nothing is done. */
  #runAll(batch: Write[]): boolean {
    this.#connection.run('SAVEPOINT jobs');
    let begun = 0;
    try {
      for (const write of batch) {
        begun += 1;
        write.change.run(this.#connection);
      }
    } catch (error) {
      for (const write of batch.slice(0, begun).reverse()) write.change.undo();
      this.#rollBackTo('jobs', error);
      return false;
    }
    this.#connection.run('RELEASE jobs');
    return true;
  }

  #runEach(batch: Write[]): Failures {
    const failures = new Map<Write, unknown>();
    for (const write of batch) {
      this.#connection.run('SAVEPOINT job');
      try {
        write.change.run(this.#connection);
      } catch (error) {
        write.change.undo();
        this.#rollBackTo('job', error);
        failures.set(write, error);
        continue;
      }
      this.#connection.run('RELEASE job');
    }
    return failures;
  }

  #rollBackTo(savepoint: string, error: unknown): void {
    // A full disk concerns all of them, and SQLite may have rolled the whole transaction back already.
    if (sqliteProblem(error, this.#connection.path) || !this.#connection.inTransaction) throw error;
    this.#connection.run(`ROLLBACK TO ${savepoint}`);
    this.#connection.run(`RELEASE ${savepoint}`);
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
    } catch {
      // The next BEGIN fails for the same reason, says so to its writers, and comes by here again.
    }
  }
}

const nothing = (): void => {};

/** A bug in one of them is nobody else's. */
function succeed({ change, resolve, reject }: Write): void {
  try {
    change.written();
    resolve();
  } catch (error) {
    reject(error);
  }
}

function fail({ change, reject }: Write, reason: unknown): void {
  try {
    change.failed();
    reject(reason);
  } catch (error) {
    reject(error);
  }
}

function closedProblem(): StoreProblem {
  return new StoreProblem('The store is closed', 'the server is stopping; ask again when it is back');
}

function overloadProblem(): StoreProblem {
  return new StoreProblem(
    `${MAXIMUM_WAITING_WRITES} changes already wait for the disk`,
    'ask again later, and look for what makes the disk slow',
  );
}
