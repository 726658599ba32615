import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite';
import { StoreProblem } from '../store-problem.ts';

/** By name; by place where a statement runs with every request, since names are looked up each time. */
export type Bindings = Record<string, SQLQueryBindings> | SQLQueryBindings[];
export type Row = Record<string, string | number | null>;

/** Opening may meet another program's recovery of the log, and there is nothing else to do meanwhile. */
const OPENING_TIMEOUT_MS = 5_000;
/** A wait for a lock stops the whole process, so when serving it is short. */
const SERVING_TIMEOUT_MS = 250;
/** A log that grew large in a rush is cut back to this. */
const KEPT_LOG_BYTES = 64 * 1024 * 1024;
const PAGES_OF_A_LONG_LOG = 1_000;

/**
 * One open database with its statements prepared once. Bun's own cache holds 20, and a statement that
 * nobody finalizes would keep the file open after `close`.
 */
export class SqliteConnection {
  readonly path: string;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(path: string) {
    this.path = path;
    this.#database = new Database(path, { readwrite: true, strict: true });
    this.#database.run(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}`);
  }

  /**
   * The settings that durability rests on. They write to the file, so it has to be one that may be written.
   */
  configure(): void {
    const mode = this.first('PRAGMA journal_mode = WAL')?.journal_mode;
    if (mode !== 'wal') {
      throw new StoreProblem(
        `The file system of ${this.path} cannot hold a write-ahead log`,
        'put the data directory on a local disk',
      );
    }
    // Whoever commits flushes the log itself, beside the event loop: `LogFlush`. FULL would do so within it, at every commit.
    this.#database.run('PRAGMA synchronous = NORMAL');
    this.#database.run('PRAGMA foreign_keys = ON');
    this.#database.run(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
  }

  /** Whether a commit that finds the log long moves it into the database, and flushes both. */
  moveLogItself(does: boolean): void {
    this.#database.run(`PRAGMA wal_autocheckpoint = ${does ? PAGES_OF_A_LONG_LOG : 0}`);
  }

  /** In pages: what is in the log, and what of it is in the database. */
  logLength(): { log: number; checkpointed: number } {
    const row = this.first('PRAGMA wal_checkpoint(NOOP)');
    return { log: Number(row?.log ?? 0), checkpointed: Number(row?.checkpointed ?? 0) };
  }

  /** Pages of the file that hold nothing any more, and are written to before it grows. */
  reusableBytes(): number {
    const pages = Number(this.first('PRAGMA freelist_count')?.freelist_count ?? 0);
    return pages * Number(this.first('PRAGMA page_size')?.page_size ?? 0);
  }

  startServing(): void {
    this.#database.run(`PRAGMA busy_timeout = ${SERVING_TIMEOUT_MS}`);
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** Runs a statement, and says how many rows it changed. */
  run(sql: string, bindings?: Bindings): number {
    return bindings ? this.#prepared(sql).run(bindings).changes : this.#prepared(sql).run().changes;
  }

  first(sql: string, bindings?: Bindings): Row | undefined {
    const row = bindings ? this.#prepared(sql).get(bindings) : this.#prepared(sql).get();
    return (row as Row | null) ?? undefined;
  }

  all(sql: string, bindings?: Bindings): Row[] {
    return (bindings ? this.#prepared(sql).all(bindings) : this.#prepared(sql).all()) as Row[];
  }

  /** Runs several statements that return nothing, like those of a migration. */
  script(sql: string): void {
    this.#database.run(sql);
  }

  /** Moves the log into the database and deletes it, unless the file has left its place: SQLite looks. */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#database.close(true);
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
