import type { Queries } from '../queries.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';

const TABLES = [...postgresDerivedTables.map(({ name }) => name), 'entry', 'open_hold'];

/** Jumps from one account to the next without reading the rows in between, which can be millions. */
const selectAccountsOf = (table: string): string => `
  (WITH RECURSIVE account (id) AS (
    SELECT min(account_id) FROM ${table} WHERE account_id > $1
    UNION ALL
    SELECT (SELECT min(account_id) FROM ${table} WHERE account_id > account.id) FROM account WHERE id IS NOT NULL
  )
  SELECT id FROM account WHERE id IS NOT NULL LIMIT $2)`;

const selectAccounts = `${TABLES.map(selectAccountsOf).join(' UNION ')} ORDER BY id LIMIT $2`;

/**
 * Selects the ids of accounts with any ledger data, in the order of the database. All tables are read, so an
 * account whose rows were deleted from some of them is still found.
 */
export async function selectPostgresLedgerAccounts(
  queries: Queries,
  { limit, after }: { limit: number; after: string },
): Promise<string[]> {
  const rows = await queries.all(selectAccounts, [after, limit]);
  return rows.map(({ id }) => String(id));
}
