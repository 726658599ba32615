import type { Migration } from '../migration.ts';

/** The time from which the cycles of an account are not paid. */
export const unpaidCycles: Migration = {
  number: 24,
  name: 'unpaid-cycles',
  sql: 'ALTER TABLE account ADD COLUMN unpaid_from INTEGER;',
};
