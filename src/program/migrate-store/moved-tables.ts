import { accountTables } from './account-tables.ts';
import { ledgerTables } from './ledger-tables.ts';
import type { MovedTable } from './moved-table.ts';
import { peopleTables } from './people-tables.ts';
import { storedTables } from './stored-tables.ts';

/** All tables, in an order in which each row comes after the rows that it names. */
export const movedTables: readonly MovedTable[] = [
  ...accountTables,
  ...peopleTables,
  ...storedTables,
  ...ledgerTables,
];
