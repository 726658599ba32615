import { closeSync, fdatasync, fsync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StoreProblem } from '../store-problem.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const flushOne = promisify(fdatasync);
const flushAll = promisify(fsync);

/**
 * Flushes the write-ahead log outside the event loop. With `synchronous=NORMAL` SQLite keeps the file
 * consistent. This class makes commits survive a loss of power.
 */
export class LogFlush {
  readonly #connection: SqliteConnection;
  readonly #flushData: (file: number) => Promise<void>;
  #file: number | undefined;
  #isUnsure = false;

  /** `flushData` is replaced in tests. */
  constructor(connection: SqliteConnection, flushData: (file: number) => Promise<void> = flushOne) {
    this.#connection = connection;
    this.#flushData = flushData;
  }

  /** Rejects if it is unknown what is on disk. */
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

  /** The first transaction creates the log. Its directory entry must be flushed as well. */
  async #open(): Promise<number> {
    const { path } = this.#connection;
    const directory = openSync(dirname(path), 'r');
    await flushAll(directory).finally(() => closeSync(directory));
    return openSync(`${path}-wal`, 'r');
  }

  /**
   * A failed flush may be reported only once, and the next one may succeed without having written the data.
   * Only data written again elsewhere and flushed there is known to be durable.
   */
  #moveToDatabase(): void {
    this.#isUnsure = true;
    const { busy } = this.#connection.first('PRAGMA wal_checkpoint(TRUNCATE)') ?? {};
    if (busy !== 0) throw flushProblem(this.#connection.path);
    this.#isUnsure = false;
  }
}

const flushProblem = (path: string): StoreProblem =>
  new StoreProblem(`The disk does not confirm writes to ${path}`, 'check the disk and the system log');
