import { type ChainHead, NO_HEAD } from '../../ledger/chain-head.ts';
import { number, text } from '../../row-columns.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { derivedTables } from './derived-tables.ts';

const selectHeadSql = 'SELECT number, sequence, hash FROM account_head WHERE account_id = $accountId';

export function selectHead(connection: SqliteConnection, accountId: string): ChainHead {
  const row = connection.first(selectHeadSql, { accountId });
  if (!row) return NO_HEAD;
  return { number: number(row, 'number'), sequence: number(row, 'sequence'), hash: text(row, 'hash') };
}

const saveHeadSql = `
  INSERT INTO account_head (account_id, number, sequence, hash) VALUES ($accountId, $number, $sequence, $hash)
  ON CONFLICT DO UPDATE SET number = $number, sequence = $sequence, hash = $hash`;

export const saveHead = (connection: SqliteConnection, accountId: string, head: ChainHead): void =>
  void connection.run(saveHeadSql, { accountId, ...head });

/** Returns the largest number in any head. */
export const selectLastHead = (connection: SqliteConnection): number =>
  Number(connection.first('SELECT MAX(number) AS number FROM account_head')?.number ?? 0);

/**
 * Selects the ids of accounts with any ledger data, in order. All tables are read, so an account whose rows
 * were deleted from some of them is still found.
 */
export function selectLedgerAccounts(
  connection: SqliteConnection,
  page: { limit: number; after: string },
): string[] {
  const ids = derivedTables.flatMap(({ name }) =>
    connection.all(selectAccountsOf(name), page).map(({ id }) => String(id)),
  );
  return [...new Set(ids)].sort().slice(0, page.limit);
}

/** Jumps from one account to the next without reading the rows in between, which can be millions. */
const selectAccountsOf = (table: string): string => `
  WITH RECURSIVE account (id) AS (
    SELECT MIN(account_id) FROM ${table} WHERE account_id > $after
    UNION ALL
    SELECT (SELECT MIN(account_id) FROM ${table} WHERE account_id > account.id) FROM account WHERE id IS NOT NULL
  )
  SELECT id FROM account WHERE id IS NOT NULL LIMIT $limit`;
