import type { Migration } from '../migration.ts';

/** A batch keeps the version of the protocol that its creating request named. */
export const batchVersions: Migration = {
  number: 28,
  name: 'batch-versions',
  sql: 'ALTER TABLE batch ADD COLUMN protocol_version TEXT',
};
