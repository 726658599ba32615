import type { PostgresMigration } from '../migration.ts';

/** A batch keeps the version of the protocol that its creating request named. */
export const batchVersions: PostgresMigration = {
  number: 44,
  name: 'batch-versions',
  sql: `
    ALTER TABLE batch ADD COLUMN protocol_version text
  `,
};
