import type { PostgresMigration } from '../migration.ts';

/** When each key was last used. The free space of a page lets an update stay on it. */
export const keyUses: PostgresMigration = {
  number: 35,
  name: 'key-uses',
  sql: `
    CREATE TABLE key_use (
      key_id text PRIMARY KEY,
      used_at bigint NOT NULL
    ) WITH (fillfactor = 70)
  `,
};
