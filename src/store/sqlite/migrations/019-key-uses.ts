import type { Migration } from '../migration.ts';

/** When each key was last used. A table of its own, since it changes every minute and is no part of a key's version. */
export const keyUses: Migration = {
  number: 19,
  name: 'key-uses',
  sql: `
    CREATE TABLE key_use (
      key_id TEXT PRIMARY KEY,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
