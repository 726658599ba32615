import type { Migration } from '../migration.ts';

/**
 * Every entry up to `confirmed` was written a while before its process ended, or the process ended in good order: the answers that they are
 * for have left. Of entries in `unconfirmed`, by number, nobody knows.
 */
export const delivery: Migration = {
  number: 6,
  name: 'delivery',
  sql: `
    CREATE TABLE confirmed (number INTEGER NOT NULL) STRICT;
    INSERT INTO confirmed SELECT COALESCE(MAX(number), 0) FROM entry;

    CREATE TABLE unconfirmed (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  `,
};
