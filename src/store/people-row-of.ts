import { keysOf, recordOf } from '../base/lib/records.ts';
import { kindOf, type PeopleTable, peopleTables, type RowOf } from '../customers/people/people-tables.ts';
import type { CommonRow } from './common-queries.ts';

/** Turns the numbers of flags into booleans. The other columns keep the types of the schema. */
export function peopleRowOf<Table extends PeopleTable>(table: Table, row: CommonRow): RowOf<Table> {
  return recordOf(keysOf(peopleTables[table]), (column) => {
    const value = row[column];
    return value !== null && kindOf(table, column) === 'flag' ? Boolean(value) : value;
  }) as RowOf<Table>;
}
