import { StoreProblem } from '../store-problem.ts';
import type { Connection } from './connection.ts';
import { sqliteProblem } from './sqlite-problem.ts';

/** Beyond this many waiting changes a new one is refused: memory stays bounded when the disk stalls. */
export const MAXIMUM_WAITING_WRITES = 10_000;
/** One transaction takes at most this many, so that a rush does not hold up the event loop for long. */
export const MAXIMUM_WRITES_PER_COMMIT = 512;

type Write = { run: () => void; succeed: () => void; fail: (reason: unknown) => void };

/**
 * Writes that arrive in the same turn of the event loop share one transaction, and so one flush to the
 * disk. Each runs in a savepoint of its own. A promise resolves only once COMMIT has returned.
 */
export class GroupCommitWriter {
  readonly #connection: Connection;
  readonly #refusal: () => StoreProblem | undefined;
  /** Transactions that failed, or writes refused because of the writer itself. It only grows. */
  failures = 0;
  #waiting: Write[] = [];
  #scheduled = false;
  #closed = false;

  /**
   * `refusal` is asked before every transaction: a problem that it returns fails the writes of that one.
   */
  constructor(connection: Connection, refusal: () => StoreProblem | undefined) {
    this.#connection = connection;
    this.#refusal = refusal;
  }

  /** `job` has to be done when it returns: what it awaits would run outside the transaction. */
  write<T>(job: (connection: Connection) => T): Promise<T> {
    if (this.#closed) return this.#refuse(closedProblem());
    if (this.#waiting.length >= MAXIMUM_WAITING_WRITES) return this.#refuse(overloadProblem());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let value: T;
    this.#waiting.push({
      run: () => {
        value = job(this.#connection);
      },
      succeed: () => resolve(value),
      fail: reject,
    });
    this.#schedule();
    return promise;
  }

  /** Takes no more writes, and commits those that wait. */
  close(): void {
    this.#closed = true;
    while (this.#waiting.length > 0) this.#commitNext();
  }

  #refuse(problem: StoreProblem): Promise<never> {
    this.failures += 1;
    return Promise.reject(problem);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Not a microtask: sockets are served between two commits, and what they bring joins the next one.
    setImmediate(() => {
      this.#scheduled = false;
      this.#commitNext();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #commitNext(): void {
    const batch = this.#waiting.splice(0, MAXIMUM_WRITES_PER_COMMIT);
    if (batch.length === 0) return;
    try {
      for (const settle of this.#commit(batch)) settle();
    } catch (error) {
      this.failures += 1;
      this.#rollBack();
      const reason = sqliteProblem(error, this.#connection.path) ?? error;
      for (const write of batch) write.fail(reason);
    }
  }

  /** What to tell each writer, now that the transaction is on the disk. */
  #commit(batch: Write[]): (() => void)[] {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
    this.#connection.run('BEGIN IMMEDIATE');
    const outcomes = batch.map((write) => this.#attempt(write));
    this.#connection.run('COMMIT');
    return outcomes;
  }

  #attempt(write: Write): () => void {
    this.#connection.run('SAVEPOINT job');
    try {
      write.run();
    } catch (error) {
      // A full disk concerns all of them, and SQLite may have rolled the whole transaction back already.
      if (sqliteProblem(error, this.#connection.path) || !this.#connection.inTransaction) throw error;
      this.#connection.run('ROLLBACK TO job');
      this.#connection.run('RELEASE job');
      return () => write.fail(error);
    }
    this.#connection.run('RELEASE job');
    return write.succeed;
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.run('ROLLBACK');
    } catch {
      // The next BEGIN fails for the same reason, says so to its writers, and comes by here again.
    }
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
