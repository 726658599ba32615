import type { AuditEntry } from '../../money/accounts/audit.ts';
import type { CommonRow, CommonStatement, CommonValue, StatementSteps } from '../common-queries.ts';
import type { ChangedRecord, RecordQueries, WriteStatement } from '../record-queries.ts';
import { SqlStatement } from '../sql-statement.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { sqliteForms } from './sqlite-forms.ts';
import { withSqliteProblems } from './sqlite-problem.ts';

/** Reads from the connection at once, and lets changes share the commits of the writer. */
export class SqliteQueries implements RecordQueries {
  readonly forms = sqliteForms;
  readonly #connection: SqliteConnection;
  protected readonly writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.writer = writer;
  }

  async all(text: string, values: readonly CommonValue[] = []): Promise<CommonRow[]> {
    const { path } = this.#connection;
    return withSqliteProblems(path, () => rowsOf(this.#connection, { text, values }));
  }

  run(text: string, values: readonly CommonValue[]): Promise<number> {
    return this.writer.write((connection) => connection.run(numbered(text), [...values]));
  }

  /** Ignores `kind`, since no other process has copies of the record that it would have to drop. */
  change({ audit }: ChangedRecord, ...statements: readonly WriteStatement[]): Promise<boolean> {
    return this.transaction(() => changeRecord(statements, audit));
  }

  record(entry: AuditEntry): Promise<void> {
    return this.transaction(() => sqliteForms.audit.record(entry));
  }

  transaction<T>(begin: () => StatementSteps<T>): Promise<T> {
    return this.writer.write((connection) => runSteps(connection, begin()));
  }
}

/** Runs the statements. The rows of the last one say whether the record was changed. */
function* changeRecord(
  statements: readonly WriteStatement[],
  audit: AuditEntry | undefined,
): StatementSteps<boolean> {
  let changed: CommonRow[] = [];
  for (const write of statements) {
    const statement = new SqlStatement();
    changed = yield { text: write(statement), values: statement.values };
  }
  if (changed.length === 0) return false;
  if (audit) yield* sqliteForms.audit.record(audit);
  return true;
}

/** Runs the steps in the transaction of the connection. */
export function runSteps<T>(connection: SqliteConnection, steps: StatementSteps<T>): T {
  let step = steps.next();
  while (!step.done) {
    let rows: CommonRow[] = [];
    for (const statement of [step.value].flat()) rows = rowsOf(connection, statement);
    step = steps.next(rows);
  }
  return step.value;
}

const rowsOf = (connection: SqliteConnection, { text, values }: CommonStatement): CommonRow[] =>
  connection.all(numbered(text), [...values]);

/** SQLite writes numbered parameters with question marks. */
export const numbered = (text: string): string => text.replace(/\$(\d+)/g, '?$1');
