import type { AuditEntry } from '../../money/accounts/audit.ts';
import { rowOfAudit } from '../audit-rows.ts';
import type { SqlValue } from './database.ts';

/** Builds one statement whose parts bring their own parameters. */
export class SqlStatement {
  readonly values: SqlValue[] = [];

  /** Adds a value and returns its place in the text. */
  bind(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** With a condition, the row is inserted only if it holds. */
  insert(table: string, row: Readonly<Record<string, SqlValue>>, condition?: string): string {
    const places = Object.values(row).map((value) => this.bind(value));
    const values = condition
      ? `SELECT ${places.join(', ')} WHERE ${condition}`
      : `VALUES (${places.join(', ')})`;
    return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) ${values}`;
  }

  assign(row: Readonly<Record<string, SqlValue>>): string {
    return Object.entries(row)
      .map(([column, value]) => `${column} = ${this.bind(value)}`)
      .join(', ');
  }

  /** Returns a call that writes the audit entry. */
  audit(entry: AuditEntry): string {
    const places = Object.values(rowOfAudit(entry)).map((value) => this.bind(value));
    return `record_audit(${places.join(', ')})`;
  }
}
