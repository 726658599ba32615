import type { SqliteConnection } from './connection.ts';
import type { MovedLog, MoveOrder } from './move-log-in-thread.ts';

/** Looking costs 20 µs. */
const COMMITS_BETWEEN_LOOKS = 32;
/** About 4 MB of log. */
const MOVED_FROM_PAGES = 1_000;
/** The log begins anew when all of it was moved, which under load it never is unless commits wait for it. */
const RENEWED_FROM_PAGES = 8_000;
/** Commits wait for a thread that does not keep up. */
const MOST_PAGES = 16_000;
/** A disk that hangs does not keep a server from ending: the next start finds the log. */
const CLOSING_MS = 5_000;

export type LogThread = Pick<Worker, 'postMessage' | 'terminate' | 'unref'> &
  Pick<Worker, 'onmessage' | 'onerror'>;

const startThread = (): LogThread => new Worker(new URL('./move-log-in-thread.ts', import.meta.url).href);

export type LogMoverParts = {
  connection: SqliteConnection;
  /** Whether the file is still where it was opened: the thread opens it by its name. */
  isInPlace: () => boolean;
  start?: () => LogThread;
};

/**
 * Moves the write-ahead log into the database in a thread of its own, started with the first log that is long enough. Without a thread
 * SQLite does it in some commits, as it does anyway.
 */
export class LogMover {
  readonly #parts: LogMoverParts;
  #commits = 0;
  #thread: LogThread | undefined;
  #isWithout = false;
  #answered: ((moved: MovedLog | undefined) => void) | undefined;
  #moving: Promise<void> | undefined;
  /** While set, no transaction is begun. */
  pause: Promise<void> | undefined;

  constructor(parts: LogMoverParts) {
    this.#parts = parts;
    parts.connection.moveLogItself(false);
  }

  /** Is told of every commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS !== 0 || this.#isWithout) return;
    const { log, checkpointed } = this.#parts.connection.logLength();
    if (this.#moving) {
      if (log >= MOST_PAGES) this.pause ??= this.#moving;
    } else if (log - checkpointed >= MOVED_FROM_PAGES && this.#parts.isInPlace()) {
      this.#moving = this.#move().finally(() => {
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

  /** The bulk of it while commits go on; a log that has grown long then waits for its last pages, and begins anew. */
  async #move(): Promise<void> {
    const order = { path: this.#parts.connection.path };
    await this.#ask(order);
    if (this.#isWithout || this.#parts.connection.logLength().log < RENEWED_FROM_PAGES) return;
    const rest = this.#ask(order);
    this.pause ??= rest.then(() => {});
    await rest;
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
    this.#isWithout = true;
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#parts.connection.moveLogItself(true);
    this.#answered?.(undefined);
  }
}
