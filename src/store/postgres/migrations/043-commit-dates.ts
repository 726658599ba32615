import type { PostgresMigration } from '../migration.ts';

/** A node names the day of its program's commit. Nodes of earlier versions leave it empty. */
export const commitDates: PostgresMigration = {
  number: 43,
  name: 'commit-dates',
  sql: `
    ALTER TABLE node ADD COLUMN commit_date text
  `,
};
