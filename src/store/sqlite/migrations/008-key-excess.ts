import type { Migration } from '../migration.ts';

/**
 * What was charged on a key beyond its cap, by calendar month (when it starts): the sums by hour and day have the whole charge, the key's
 * month counts it less this. Most keys have no row.
 */
export const keyExcess: Migration = {
  number: 8,
  name: 'key-excess',
  sql: `
    CREATE TABLE key_excess (
      account_id TEXT NOT NULL,
      key_id TEXT NOT NULL,
      month INTEGER NOT NULL,
      microcredits INTEGER NOT NULL,
      PRIMARY KEY (account_id, key_id, month)
    ) STRICT, WITHOUT ROWID;
  `,
};
