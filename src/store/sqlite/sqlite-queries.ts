import type { CommonChange, CommonQueries, CommonRow, CommonValue } from '../common-queries.ts';
import type { SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

/** Reads from the connection at once, and lets changes share the commits of the writer. */
export class SqliteQueries implements CommonQueries {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  async all(text: string, values: readonly CommonValue[]): Promise<CommonRow[]> {
    const { path } = this.#connection;
    return withSqliteProblems(path, () => this.#connection.all(numbered(text), [...values]));
  }

  run(text: string, values: readonly CommonValue[]): Promise<number> {
    return this.#writer.write((connection) => connection.run(numbered(text), [...values]));
  }

  runTogether(changes: readonly CommonChange[]): Promise<void> {
    return this.#writer.write((connection) => {
      for (const [text, values] of changes) connection.run(numbered(text), [...values]);
    });
  }
}

/** SQLite writes numbered parameters with question marks. */
const numbered = (text: string): string => text.replace(/\$(\d+)/g, '?$1');
