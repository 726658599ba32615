import { closeSync, fdatasync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreProblem } from '../store-problem.ts';
import type { SqliteConnection } from './connection.ts';

const flushOne = promisify(fdatasync);
const flushAll = promisify(fsync);

/**
 * Flushes the write-ahead log to the disk beside the event loop. With `synchronous=NORMAL` SQLite keeps the file intact by itself, and
 * leaves to us that what was committed survives a loss of power.
 */
export class LogFlush {
  readonly #connection: SqliteConnection;
  readonly #flushData: (file: number) => Promise<void>;
  #file: number | undefined;
  #isUnsure = false;

  /** `flushData` is the system's own, unless a test stands in its place. */
  constructor(connection: SqliteConnection, flushData: (file: number) => Promise<void> = flushOne) {
    this.#connection = connection;
    this.#flushData = flushData;
  }

  /** Rejects when nobody knows what is on the disk. */
  async flush(): Promise<void> {
    if (this.#isUnsure) return this.#moveToDatabase();
    try {
      this.#file ??= await this.#open();
      await this.#flushData(this.#file);
    } catch {
      this.#moveToDatabase();
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** The log is made by the first transaction, and that it is in its directory has to be on the disk as well. */
  async #open(): Promise<number> {
    const { path } = this.#connection;
    const directory = openSync(dirname(path), 'r');
    await flushAll(directory).finally(() => closeSync(directory));
    return openSync(`${path}-wal`, 'r');
  }

  /**
   * A flush that failed may be told of once, and the next one succeed without having done it: then only what was written again elsewhere,
   * and flushed there, is known to be durable.
   */
  #moveToDatabase(): void {
    this.#isUnsure = true;
    const { busy } = this.#connection.first('PRAGMA wal_checkpoint(TRUNCATE)') ?? {};
    if (busy !== 0) throw flushProblem(this.#connection.path);
    this.#isUnsure = false;
  }
}

const flushProblem = (path: string): StoreProblem =>
  new StoreProblem(
    `The disk does not confirm what was written to ${path}`,
    'check the disk and the system log',
  );
