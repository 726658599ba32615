import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite';
import { StoreProblem } from '../store-problem.ts';

/**
 * Bindings by name, or by position in statements that run for every request, since each name costs a look-up.
 */
export type Bindings = Record<string, SQLQueryBindings> | SQLQueryBindings[];
export type Row = Record<string, string | number | null>;

/** Opening may wait for another program's recovery of the log. The process has no other work at that time. */
const OPENING_TIMEOUT_MS = 5_000;
/** Waiting for a lock blocks the whole process, so the wait is short while it serves. */
const SERVING_TIMEOUT_MS = 250;
/** A longer log is truncated to this size. */
const KEPT_LOG_BYTES = 64 * 1024 * 1024;
const PAGES_OF_A_LONG_LOG = 1_000;
/** More different statements than the program has, apart from those whose lists have many lengths. */
const MAX_PREPARED = 1_000;

/**
 * An open database whose statements are prepared once. Bun's own cache holds only 20. A statement that is not
 * finalized keeps the file open after `close`.
 */
export class SqliteConnection {
  readonly path: string;
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(path: string, { isReadOnly = false } = {}) {
    this.path = path;
    const access = isReadOnly ? { readonly: true } : { readwrite: true };
    this.#database = new Database(path, { ...access, strict: true });
    this.#database.run(`PRAGMA busy_timeout = ${OPENING_TIMEOUT_MS}`);
  }

  /** Applies the settings that durability depends on. They write to the file, so it must be writable. */
  configure(): void {
    const mode = this.first('PRAGMA journal_mode = WAL')?.journal_mode;
    if (mode !== 'wal') {
      throw new StoreProblem(
        `The file system of ${this.path} does not support a write-ahead log`,
        'put the data directory on a local disk',
      );
    }
    // `LogFlush` flushes the log outside the event loop. FULL would block the event loop at every commit.
    this.#database.run('PRAGMA synchronous = NORMAL');
    this.#database.run('PRAGMA foreign_keys = ON');
    this.#database.run(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
  }

  /** Sets whether a commit that finds a long log moves it into the database and flushes both. */
  moveLogItself(isOn: boolean): void {
    this.#database.run(`PRAGMA wal_autocheckpoint = ${isOn ? PAGES_OF_A_LONG_LOG : 0}`);
  }

  /** Returns the length of the log in pages, and the number of pages already moved into the database. */
  logLength(): { log: number; checkpointed: number } {
    const row = this.first('PRAGMA wal_checkpoint(NOOP)');
    return { log: Number(row?.log ?? 0), checkpointed: Number(row?.checkpointed ?? 0) };
  }

  /** Returns the size of the file's free pages. SQLite uses them before the file grows. */
  reusableBytes(): number {
    const pages = Number(this.first('PRAGMA freelist_count')?.freelist_count ?? 0);
    return pages * Number(this.first('PRAGMA page_size')?.page_size ?? 0);
  }

  startServing(): void {
    this.#database.run(`PRAGMA busy_timeout = ${SERVING_TIMEOUT_MS}`);
  }

  /** The number of statements that are prepared. */
  get prepared(): number {
    return this.#statements.size;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** Runs a statement, and returns the number of changed rows. */
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

  /** Runs the change in a transaction of its own, or as a part of the transaction that is open. */
  inOne(change: () => void): void {
    this.run('SAVEPOINT one');
    try {
      change();
      this.run('RELEASE one');
    } catch (error) {
      if (this.inTransaction) {
        this.run('ROLLBACK TO one');
        this.run('RELEASE one');
      }
      throw error;
    }
  }

  /** Runs several statements without results, for example a migration. */
  script(sql: string): void {
    this.#database.run(sql);
  }

  /**
   * Moves the log into the database and deletes it. SQLite skips this if the file is no longer at its path.
   */
  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#database.close(true);
  }

  #prepared(sql: string): Statement {
    const existingStatement = this.#statements.get(sql);
    if (existingStatement) return existingStatement;
    if (this.#statements.size >= MAX_PREPARED) this.#forgetOldest();
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Forgets the statement that was prepared first. Rows are read at once, so nothing is using it. */
  #forgetOldest(): void {
    for (const [sql, statement] of this.#statements.entries().take(1)) {
      this.#statements.delete(sql);
      statement.finalize();
    }
  }
}
