import { keysOf, recordOf } from '../base/lib/records.ts';
import type {
  KeyRevocation,
  PeopleQuery,
  PeopleTest,
  PeopleValue,
  PeopleWrite,
} from '../customers/people/people-store.ts';
import { kindOf, type PeopleTable, peopleTables, type RowOf } from '../customers/people/people-tables.ts';
import type { CommonRow, CommonStatement } from './common-queries.ts';
import type { SqlForms } from './sql-forms.ts';

const signs = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/**
 * Builds one statement on a table of people. Names come from `peopleTables`, and all values are parameters.
 */
export class PeopleStatement {
  text = '';
  readonly values: PeopleValue[] = [];
  readonly #forms: SqlForms;
  readonly #table: PeopleTable;

  constructor(forms: SqlForms, table: PeopleTable) {
    this.#forms = forms;
    if (!Object.hasOwn(peopleTables, table)) throw new Error(`there is no table ${table}`);
    this.#table = table;
  }

  select({ where, sort, limit, offset }: PeopleQuery): this {
    this.text = `SELECT * FROM ${this.#table}${this.#where(where)}`;
    if (sort) this.text += ` ORDER BY ${this.#name(sort.column)}${sort.descending ? ' DESC' : ''}`;
    if (limit !== undefined || offset !== undefined)
      this.text += ` LIMIT ${this.#bind(limit ?? Number.MAX_SAFE_INTEGER)}`;
    if (offset !== undefined) this.text += ` OFFSET ${this.#bind(offset)}`;
    return this;
  }

  count(where: readonly PeopleTest[] | undefined): this {
    this.text = `SELECT count(*) AS count FROM ${this.#table}${this.#where(where)}`;
    return this;
  }

  write(write: PeopleWrite): this {
    if (write.kind === 'insert') {
      const columns = Object.keys(write.row).map((column) => this.#name(column));
      const places = Object.values(write.row).map((value) => this.#bind(value));
      this.text = `INSERT INTO ${this.#table} (${columns.join(', ')}) VALUES (${places.join(', ')})
        ON CONFLICT DO NOTHING RETURNING *`;
    } else if (write.kind === 'expect') {
      this.text = `SELECT * FROM ${this.#table}${this.#where(write.where)} LIMIT ${(write.limit ?? 0) + 1}`;
    } else if (write.kind === 'delete') {
      this.text = `DELETE FROM ${this.#table}${this.#chosen(write)} RETURNING *`;
    } else {
      const set = Object.entries(write.set).map(
        ([column, value]) => `${this.#name(column)} = ${this.#bind(value)}`,
      );
      const added = Object.entries(write.add ?? {}).map(([column, by]) => {
        const name = this.#name(column);
        return `${name} = ${name} + ${this.#bind(by)}`;
      });
      this.text = `UPDATE ${this.#table} SET ${[...set, ...added].join(', ')}${this.#chosen(write)} RETURNING *`;
    }
    return this;
  }

  /** The tests are repeated outside, since another writer may have changed the chosen row. */
  #chosen({ where, isOne }: { where: readonly PeopleTest[]; isOne?: boolean }): string {
    const tests = this.#where(where);
    if (!isOne) return tests;
    const inner = `SELECT id FROM ${this.#table}${this.#where(where)} LIMIT 1 ${this.#forms.forUpdate}`;
    return `${tests === '' ? ' WHERE' : `${tests} AND`} id = (${inner})`;
  }

  #where(where: readonly PeopleTest[] = []): string {
    const all = where.filter(({ isAlternative }) => !isAlternative).map((test) => this.#test(test));
    const some = where.filter(({ isAlternative }) => isAlternative).map((test) => this.#test(test));
    if (some.length > 0) all.push(`(${some.join(' OR ')})`);
    return all.length === 0 ? '' : ` WHERE ${all.join(' AND ')}`;
  }

  #test({ column, is = 'eq', value }: PeopleTest): string {
    const name = this.#name(column);
    if (is === 'in' || is === 'not_in') {
      const places = [value].flat().map((one) => this.#bind(one as PeopleValue));
      if (places.length === 0) return is === 'in' ? '1 = 0' : '1 = 1';
      return `${name} ${is === 'in' ? 'IN' : 'NOT IN'} (${places.join(', ')})`;
    }
    if (value === null) return `${name} IS ${is === 'ne' ? 'NOT ' : ''}NULL`;
    return `${name} ${signs[is]} ${this.#bind(value as PeopleValue)}`;
  }

  #name(column: string): string {
    kindOf(this.#table, column);
    return column;
  }

  #bind(value: PeopleValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Selects the keys that a revocation concerns, and keeps their rows until the change ends. */
export function selectRevoked(forms: SqlForms, { where }: KeyRevocation): CommonStatement {
  const tokens = new PeopleStatement(forms, 'client_token').select({ where });
  const keys = `SELECT key_id FROM (${tokens.text}) AS token`;
  const text = `SELECT * FROM api_key WHERE revoked_at IS NULL AND id IN (${keys}) ORDER BY id ${forms.forUpdate}`;
  return { text, values: tokens.values };
}

/** Turns the numbers of flags into true and false. The types of the other columns are those of the schema. */
export function peopleRowOf<Table extends PeopleTable>(table: Table, row: CommonRow): RowOf<Table> {
  return recordOf(keysOf(peopleTables[table]), (column) => {
    const value = row[column];
    return value !== null && kindOf(table, column) === 'flag' ? Boolean(value) : value;
  }) as RowOf<Table>;
}

/** Reports whether a step changed what it must. */
export function isDone(write: PeopleWrite, rows: readonly unknown[]): boolean {
  if (write.kind === 'expect')
    return write.limit === undefined ? rows.length === 1 : rows.length <= write.limit;
  if (write.kind === 'insert') return rows.length === 1;
  return write.rows === undefined || rows.length === write.rows;
}
