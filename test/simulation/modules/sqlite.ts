import { Database as RealDatabase, SQLiteError } from 'bun:sqlite';
import type { Host } from '../kernel/host.ts';
import { stage } from '../kernel/stage.ts';

export { SQLiteError };

type Statement = ReturnType<RealDatabase['prepare']>;

/** A part of the statement that ends the recording of an answer. */
const KEEPING = 'UPDATE recorded_answer SET state';

/** Makes SQLite's error of a full disk. */
function fullDiskError(): SQLiteError {
  const error = Object.assign(Object.create(SQLiteError.prototype), {
    message: 'database or disk is full',
    name: 'SQLiteError',
    code: 'SQLITE_FULL',
    errno: 13,
    byteOffset: -1,
  });
  return error as SQLiteError;
}

/**
 * A database that the simulated process has open. It closes with the process, whose disk can refuse commits.
 */
export class Database extends RealDatabase {
  readonly #host: Host | undefined;
  readonly #statements = new Set<Statement>();
  /** True if the latest statement has rolled back, so that the end of the transaction writes nothing. */
  #isUndone = false;
  /** True if the transaction keeps an answer for repetitions. The charge is written in a later one. */
  #keepsAnswer = false;

  constructor(...values: ConstructorParameters<typeof RealDatabase>) {
    super(...values);
    this.#host = stage.isEmpty ? undefined : stage.simulation.host;
    this.#host?.databases.add(this);
  }

  override prepare(...values: Parameters<RealDatabase['prepare']>): never {
    const statement = super.prepare(...values);
    this.#statements.add(statement);
    if (/^\s*(COMMIT|RELEASE|ROLLBACK TO|INSERT|UPDATE|DELETE)\b/.test(values[0]))
      this.#guard(statement, values[0]);
    if (values[0].includes(KEEPING)) this.#watchKeeping(statement);
    return statement as never;
  }

  #watchKeeping(statement: Statement): void {
    const all = statement.all;
    statement.all = ((...bindings: [unknown[]]) => {
      this.#keepsAnswer ||= bindings[0].includes('made');
      return all.apply(statement, bindings as never);
    }) as never;
  }

  /** A statement that ends a transaction, or is one by itself, fails while the disk refuses writes. */
  #guard(statement: Statement, sql: string): void {
    const run = statement.run;
    const isCommit = sql === 'COMMIT';
    const isRelease = sql.startsWith('RELEASE');
    const isUndo = sql.startsWith('ROLLBACK');
    statement.run = ((...bindings: []) => {
      const writes = isCommit || (isRelease ? !this.#isUndone : !this.inTransaction && !isUndo);
      if (writes && this.#host?.disk?.refusesWrites) throw fullDiskError();
      this.#isUndone = isUndo;
      if (isCommit) stage.simulation.pass('before a commit');
      const result = run.apply(statement, bindings);
      if (isCommit) this.#passed();
      return result;
    }) as never;
  }

  #passed(): void {
    stage.simulation.pass('after a commit');
    if (this.#keepsAnswer) stage.simulation.pass('answer kept');
    this.#keepsAnswer = false;
  }

  /** A statement that is not finalized would keep the file open. */
  override close(isStrict?: boolean): void {
    this.#host?.databases.delete(this);
    for (const statement of this.#statements) statement.finalize();
    super.close(isStrict);
  }
}
