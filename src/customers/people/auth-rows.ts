import type { CleanedWhere } from '@better-auth/core/db/adapter';
import { keysOf } from '../../base/lib/records.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { type PeopleRow, type PeopleTest, type PeopleValue, peopleComparisons } from './people-store.ts';
import { kindOf, type PeopleTable, peopleTables } from './people-tables.ts';

/** Reports whether the values of a column are kept as hashes. */
const isHashed = (table: PeopleTable, column: string): boolean =>
  table === 'person_session' && column === 'token';

/** Returns the table of a model of the library. Throws if there is none. */
export function tableOf(model: string): PeopleTable {
  const table = keysOf(peopleTables).find((name) => name === model);
  if (!table) throw new Error(`there is no table ${model}`);
  return table;
}

/** Converts fields of the library to the columns of a row. Fields without a column are left out. */
export const toRow = (table: PeopleTable, fields: Fields): PeopleRow =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([column]) => Object.hasOwn(peopleTables[table], column))
      .map(([column, value]) => [column, toValue(table, column, value)]),
  );

function toValue(table: PeopleTable, column: string, value: unknown): PeopleValue {
  if (value === undefined || value === null) return null;
  if (value instanceof Date) return value.getTime();
  if (isHashed(table, column)) return hashKey(String(value));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Error(`the column ${column} of ${table} cannot hold this value`);
}

/** Converts a row to fields of the library, whose times are dates. */
export const fieldsOf = (table: PeopleTable, row: PeopleRow): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'number' && kindOf(table, column) === 'time' ? new Date(value) : value,
    ]),
  );

/** Converts the conditions of a query to tests of columns. */
export function testsOf(table: PeopleTable, where: readonly CleanedWhere[]): PeopleTest[] {
  return where.map(({ field, operator, value, connector }) => {
    const is = peopleComparisons.find((comparison) => comparison === operator);
    if (!is) throw new Error(`the store of people cannot compare by ${String(operator)}`);
    const values = Array.isArray(value)
      ? value.map((item) => toValue(table, field, item))
      : toValue(table, field, value);
    return { column: field, is, value: values, isAlternative: connector === 'OR' };
  });
}

/** Returns the token that a query names. The library expects it in the answer, but the store has its hash. */
export const tokenIn = (where: readonly CleanedWhere[]): unknown =>
  where.find(({ field, operator }) => field === 'token' && operator === 'eq')?.value;

/** Returns the fields with the token that the library sent. */
export const withToken = (fields: Fields, token: unknown): Fields =>
  token === undefined ? fields : { ...fields, token };
