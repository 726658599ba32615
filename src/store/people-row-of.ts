import { keysOf, recordOf } from '../base/lib/records.ts';
import { kindOf, type PeopleTable, peopleTables, type RowOf } from '../customers/people/people-tables.ts';
import type { CommonRow } from './common-queries.ts';

/** Turns the numbers of flags into true and false. The types of the other columns are those of the schema. */
export function peopleRowOf<Table extends PeopleTable>(table: Table, row: CommonRow): RowOf<Table> {
  return recordOf(keysOf(peopleTables[table]), (column) => {
    const value = row[column];
    return value !== null && kindOf(table, column) === 'flag' ? Boolean(value) : value;
  }) as RowOf<Table>;
}
