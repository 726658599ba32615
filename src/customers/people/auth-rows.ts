import type { CleanedWhere } from '@better-auth/core/db/adapter';
import { keysOf } from '../../base/lib/records.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import type { PeopleComparison, PeopleRow, PeopleTest, PeopleValue } from './people-store.ts';
import { kindOf, type PeopleTable, peopleTables } from './people-tables.ts';

const COMPARISONS: readonly PeopleComparison[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'not_in'];

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
  return isHashed(table, column) ? hashKey(String(value)) : (value as PeopleValue);
}

/** Converts a row to fields of the library, whose times are dates. */
export const fieldsOf = (table: PeopleTable, row: PeopleRow): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value !== null && kindOf(table, column) === 'time' ? new Date(value as number) : value,
    ]),
  );

/** Converts the conditions of a query to tests of columns. */
export function testsOf(table: PeopleTable, where: readonly CleanedWhere[]): PeopleTest[] {
  return where.map(({ field, operator, value, connector }) => {
    const is = COMPARISONS.find((comparison) => comparison === operator);
    if (!is) throw new Error(`the store of people cannot compare by ${String(operator)}`);
    const values = Array.isArray(value)
      ? value.map((item) => toValue(table, field, item))
      : toValue(table, field, value);
    return { column: field, is, value: values, isAlternative: connector === 'OR' };
  });
}

/**
 * Returns the token that a query names. The library expects it in the answer, where the store has its hash.
 */
export const tokenIn = (where: readonly CleanedWhere[]): unknown =>
  where.find(({ field, operator }) => field === 'token' && operator === 'eq')?.value;

/** Returns the fields with the token that the library sent. */
export const withToken = (fields: Fields, token: unknown): Fields =>
  token === undefined ? fields : { ...fields, token };
