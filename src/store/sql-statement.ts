import type { CommonValue, RowValues } from './common-queries.ts';

/** Builds one statement whose parts bring their own parameters. */
export class SqlStatement {
  readonly values: CommonValue[] = [];

  /** Adds a value and returns its place in the text. */
  bind(value: CommonValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** With a condition, the row is inserted only if it holds. */
  insert(table: string, row: RowValues, condition?: string): string {
    const places = Object.values(row).map((value) => this.bind(value));
    const values = condition
      ? `SELECT ${places.join(', ')} WHERE ${condition}`
      : `VALUES (${places.join(', ')})`;
    return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) ${values}`;
  }

  /** Returns the columns with their values, as an update lists them. */
  assign(columns: RowValues): string {
    return Object.entries(columns)
      .map(([column, value]) => `${column} = ${this.bind(value)}`)
      .join(', ');
  }

  /** Writes the columns if the stored version equals the given one, and increments the version. */
  save(table: string, { id, version }: { id: string; version: number }, columns: RowValues): string {
    return `UPDATE ${table} SET ${this.assign(columns)}, version = version + 1
      WHERE id = ${this.bind(id)} AND version = ${this.bind(version)} RETURNING id`;
  }
}
