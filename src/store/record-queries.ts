import type { AuditEntry } from '../money/accounts/audit.ts';
import type { CommonQueries, StatementSteps } from './common-queries.ts';
import type { SqlForms } from './sql-forms.ts';
import type { SqlStatement } from './sql-statement.ts';

/** The kinds of records whose copies other processes drop when they change. */
export type AnnouncedKind = 'account' | 'key' | 'token' | 'mark' | 'setting' | 'drain';
export type ChangedRecord = { kind: AnnouncedKind; audit?: AuditEntry };
/** Returns the text of a statement whose values it has bound. */
export type WriteStatement = (statement: SqlStatement) => string;

/** Changes of records that have an audit entry, and transactions, in both kinds of databases. */
export interface RecordQueries extends CommonQueries {
  /** The words that differ between the two kinds of databases. */
  readonly forms: SqlForms;
  /**
   * Changes a record. The last statement returns its id, or no row if nothing may be changed. The audit entry
   * and the notice to other processes are written in the same transaction.
   * Reports whether the record was changed.
   */
  change(record: ChangedRecord, ...statements: readonly WriteStatement[]): Promise<boolean>;
  /** Adds an entry to the audit log, or joins it to an earlier one, in a transaction of its own. */
  record(entry: AuditEntry): Promise<void>;
  /**
   * Runs the steps in one transaction.
   * `begin` can be called again, after the changes of the call before were reverted.
   */
  transaction<T>(begin: () => StatementSteps<T>): Promise<T>;
}
