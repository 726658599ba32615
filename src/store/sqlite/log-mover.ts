import type { MovedLog, MoveOrder } from './move-log-in-thread.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** Reading the log's length costs 20 µs. */
const COMMITS_BETWEEN_LOOKS = 32;
/** About 4 MB of log. */
const MOVED_FROM_PAGES = 1_000;
/** The log restarts only after it was moved completely. Under load, commits must wait for that. */
const RENEWED_FROM_PAGES = 8_000;
/** Above this length, commits wait for the thread. */
const MAX_PAGES = 16_000;
/** A disk that hangs must not prevent the server from ending. The next start finds the log. */
const CLOSING_MS = 5_000;

export type LogThread = Pick<Worker, 'postMessage' | 'terminate' | 'unref'> & {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
};

const startThread = (): LogThread => new Worker(new URL('./move-log-in-thread.ts', import.meta.url).href);

export type LogMoverParts = {
  connection: Pick<SqliteConnection, 'path' | 'moveLogItself' | 'logLength'>;
  /** Reports whether the file is still at its path, since the thread opens it by name. */
  isInPlace: () => boolean;
  start?: () => LogThread;
};

/**
 * Moves the write-ahead log into the database in a separate thread, which starts with the first long log.
 * Without the thread, SQLite does this within some commits, as it does by default.
 */
export class LogMover {
  readonly #parts: LogMoverParts;
  #commits = 0;
  #thread: LogThread | undefined;
  /** True once the thread has failed. SQLite then moves the log itself. */
  #isThreadLost = false;
  /** Takes the answer to the latest order. */
  #answered: ((moved: MovedLog | undefined) => void) | undefined;
  #moving: Promise<void> | undefined;
  /** While set, no transaction begins. */
  pause: Promise<void> | undefined;

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
    parts.connection.moveLogItself(false);
  }

  /** Counts a commit, and moves the log if it is long enough. The writer calls it after every commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0 || this.#isThreadLost) return;
    const { log, checkpointed } = this.#parts.connection.logLength();
    if (this.#moving) {
      if (log >= MAX_PAGES) this.pause ??= this.#moving;
    } else if (log - checkpointed >= MOVED_FROM_PAGES && this.#parts.isInPlace()) {
      // Writers meet and report the problem of a move that failed, and a later commit begins another one.
      const moving = this.#move().catch(() => {});
      this.#moving = moving.finally(() => {
        this.#moving = undefined;
        this.pause = undefined;
      });
    }
  }

  async close(): Promise<void> {
    const ended = async () => {
      await this.#moving;
      if (this.#thread) await this.#ask('end');
    };
    await Promise.race([ended(), new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref())]);
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  /**
   * Moves most of the log while commits continue.
   * For a very long log, commits wait for the last pages, so that the log restarts.
   */
  async #move(): Promise<void> {
    const order = { path: this.#parts.connection.path };
    await this.#ask(order);
    if (this.#isThreadLost || this.#parts.connection.logLength().log < RENEWED_FROM_PAGES) return;
    const renewal = this.#ask(order);
    this.pause ??= renewal.then(() => {});
    await renewal;
  }

  #ask(order: MoveOrder): Promise<MovedLog | undefined> {
    const { promise, resolve } = Promise.withResolvers<MovedLog | undefined>();
    this.#answered = resolve;
    try {
      this.#thread ??= this.#open();
      this.#thread.postMessage(order);
    } catch {
      this.#lose();
    }
    return promise;
  }

  #open(): LogThread {
    const thread = (this.#parts.start ?? startThread)();
    thread.unref();
    thread.onmessage = ({ data }: MessageEvent<MovedLog | undefined>) => this.#answered?.(data);
    thread.onerror = () => this.#lose();
    return thread;
  }

  #lose(): void {
    this.#isThreadLost = true;
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#parts.connection.moveLogItself(true);
    this.#answered?.(undefined);
  }
}
