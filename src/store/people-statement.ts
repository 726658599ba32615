import type { PeopleQuery, PeopleRow, PeopleTest, PeopleWrite } from '../customers/people/people-store.ts';
import { kindOf, type PeopleTable, peopleTables } from '../customers/people/people-tables.ts';
import type { CommonStatement } from './common-queries.ts';
import type { SqlForms } from './sql-forms.ts';
import { SqlStatement } from './sql-statement.ts';

/** Returns the statement that selects rows of a table of people. */
export const selectPeople = (forms: SqlForms, table: PeopleTable, query: PeopleQuery): CommonStatement =>
  new PeopleStatement(forms, table).select(query);

/** Returns the statement that counts rows. */
export const countPeople = (
  forms: SqlForms,
  table: PeopleTable,
  where: readonly PeopleTest[] | undefined,
): CommonStatement => new PeopleStatement(forms, table).count(where);

/** Returns the statement of one step of a change. It returns the rows that it has changed or found. */
export const writePeople = (forms: SqlForms, write: PeopleWrite): CommonStatement =>
  new PeopleStatement(forms, write.table).write(write);

type Update = Extract<PeopleWrite, { kind: 'update' }>;
/** The rows that a step changes. */
type ChosenRows = Pick<Update, 'where' | 'isOne'>;

const signs = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Builds one statement. Names come from `peopleTables`, and all values are parameters. */
class PeopleStatement {
  readonly #statement = new SqlStatement();
  readonly #forms: SqlForms;
  readonly #table: PeopleTable;

  constructor(forms: SqlForms, table: PeopleTable) {
    this.#forms = forms;
    if (!Object.hasOwn(peopleTables, table)) throw new Error(`there is no table ${table}`);
    this.#table = table;
  }

  select({ where, sort, limit, offset }: PeopleQuery): CommonStatement {
    let text = `SELECT * FROM ${this.#table}${this.#where(where)}`;
    if (sort) text += ` ORDER BY ${this.#column(sort.column)}${sort.descending ? ' DESC' : ''}`;
    if (limit !== undefined || offset !== undefined)
      text += ` LIMIT ${this.#statement.bind(limit ?? Number.MAX_SAFE_INTEGER)}`;
    if (offset !== undefined) text += ` OFFSET ${this.#statement.bind(offset)}`;
    return this.#built(text);
  }

  count(where: readonly PeopleTest[] | undefined): CommonStatement {
    return this.#built(`SELECT count(*) AS count FROM ${this.#table}${this.#where(where)}`);
  }

  write(write: PeopleWrite): CommonStatement {
    switch (write.kind) {
      case 'insert':
        return this.#insert(write.row);
      case 'update':
        return this.#update(write);
      case 'delete':
        return this.#built(`DELETE FROM ${this.#table}${this.#chosen(write)} RETURNING *`);
      case 'expect':
        return this.#built(
          `SELECT * FROM ${this.#table}${this.#where(write.where)} LIMIT ${(write.limit ?? 0) + 1}`,
        );
    }
  }

  #insert(row: PeopleRow): CommonStatement {
    const columns = Object.keys(row).map((column) => this.#column(column));
    const places = Object.values(row).map((value) => this.#statement.bind(value));
    return this.#built(
      `INSERT INTO ${this.#table} (${columns.join(', ')}) VALUES (${places.join(', ')})
       ON CONFLICT DO NOTHING RETURNING *`,
    );
  }

  #update({ set, add = {}, ...chosen }: Update): CommonStatement {
    const assigned = Object.entries(set).map(
      ([column, value]) => `${this.#column(column)} = ${this.#statement.bind(value)}`,
    );
    const added = Object.entries(add).map(([column, by]) => {
      const name = this.#column(column);
      return `${name} = ${name} + ${this.#statement.bind(by)}`;
    });
    const changes = [...assigned, ...added].join(', ');
    return this.#built(`UPDATE ${this.#table} SET ${changes}${this.#chosen(chosen)} RETURNING *`);
  }

  /** The tests are repeated outside, since another writer may have changed the chosen row. */
  #chosen({ where, isOne }: ChosenRows): string {
    const tests = this.#where(where);
    if (!isOne) return tests;
    const inner = `SELECT id FROM ${this.#table}${this.#where(where)} LIMIT 1 ${this.#forms.forUpdate}`;
    return `${tests === '' ? ' WHERE' : `${tests} AND`} id = (${inner})`;
  }

  #where(where: readonly PeopleTest[] = []): string {
    const required = where.filter(({ isAlternative }) => !isAlternative).map((test) => this.#test(test));
    const alternatives = where.filter(({ isAlternative }) => isAlternative).map((test) => this.#test(test));
    if (alternatives.length > 0) required.push(`(${alternatives.join(' OR ')})`);
    return required.length === 0 ? '' : ` WHERE ${required.join(' AND ')}`;
  }

  #test({ column, is = 'eq', value }: PeopleTest): string {
    const name = this.#column(column);
    if (is === 'in' || is === 'not_in') {
      const places = [value].flat().map((item) => this.#statement.bind(item));
      if (places.length === 0) return is === 'in' ? '1 = 0' : '1 = 1';
      return `${name} ${is === 'in' ? 'IN' : 'NOT IN'} (${places.join(', ')})`;
    }
    if (value === null) return `${name} IS ${is === 'ne' ? 'NOT ' : ''}NULL`;
    if (typeof value === 'object') throw new Error(`the column ${column} is compared with a list`);
    return `${name} ${signs[is]} ${this.#statement.bind(value)}`;
  }

  /** Returns the name of a column. Throws if the table does not have it. */
  #column(column: string): string {
    kindOf(this.#table, column);
    return column;
  }

  #built(text: string): CommonStatement {
    return { text, values: this.#statement.values };
  }
}
