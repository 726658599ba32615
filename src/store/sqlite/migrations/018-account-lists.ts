import type { Migration } from '../migration.ts';

/** The order in which the dashboard lists an organization's stored responses and batches. */
export const accountLists: Migration = {
  number: 18,
  name: 'account-lists',
  sql: `
    CREATE INDEX response_by_account ON response (account_id, created_at, id);
    CREATE INDEX batch_by_account ON batch (account_id, sequence);
  `,
};
