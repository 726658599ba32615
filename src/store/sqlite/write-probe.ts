import type { Clock } from '../../base/lib/clock.ts';
import { StoreProblem } from '../store-problem.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Frequent health checks must not keep the disk busy. */
const FRESH_MS = 1_000;
/** About the size of a change in the worst case: a new page in each table and index that it touches. */
const FILLING_BYTES = 32 * 1024;

/**
 * Tests with a write whether the store accepts writes.
 * A success is valid for a second, or until a commit fails.
 */
export class WriteProbe {
  readonly #writer: GroupCommitWriter;
  readonly #clock: Clock;
  #running: Promise<string | undefined> | undefined;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #failuresSeen = 0;

  constructor(writer: GroupCommitWriter, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Writes to the store, and returns the problem of the write. Concurrent callers share one write. */
  async problem(): Promise<string | undefined> {
    if (this.#isFresh()) return undefined;
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #isFresh(): boolean {
    // Monotonic time, since the system clock can be changed.
    return performance.now() < this.#freshUntil && this.#writer.failures === this.#failuresSeen;
  }

  async #write(): Promise<string | undefined> {
    this.#failuresSeen = this.#writer.failures;
    try {
      await this.#writer.write((connection) => {
        insertProbe(connection, this.#clock.now());
        deleteFormerProbes(connection);
      });
      this.#freshUntil = performance.now() + FRESH_MS;
    } catch (error) {
      this.#freshUntil = Number.NEGATIVE_INFINITY;
      return error instanceof StoreProblem ? error.sentence : `The store cannot be written: ${error}.`;
    }
  }
}

/** Inserts a row as large as a change. The previous row still exists, so this row needs new space. */
function insertProbe(connection: SqliteConnection, now: number): void {
  connection.run('INSERT INTO probe (at, filling) VALUES ($now, randomblob($size))', {
    now,
    size: FILLING_BYTES,
  });
}

/** Deletes the earlier rows. The next change or probe can use their space. */
function deleteFormerProbes(connection: SqliteConnection): void {
  connection.run('DELETE FROM probe WHERE sequence < (SELECT max(sequence) FROM probe)');
}
