import type { PostgresMigration } from '../migration.ts';

/** The time from which the cycles of an account are not paid. */
export const unpaidCycles: PostgresMigration = {
  number: 38,
  name: 'unpaid-cycles',
  sql: 'ALTER TABLE account ADD COLUMN unpaid_from bigint',
};
