import type { Migration } from '../migration.ts';

/** The number of changes that an entry of the audit log stands for. */
export const auditChanges: Migration = {
  number: 27,
  name: 'audit-changes',
  sql: 'ALTER TABLE audit ADD COLUMN changes INTEGER NOT NULL DEFAULT 1',
};
