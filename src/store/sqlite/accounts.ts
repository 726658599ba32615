import type { Account } from '../../money/accounts/account.ts';
import type { AccountPage } from '../../money/accounts/account-store.ts';
import { accountOfRow, changeableOfAccount, rowOfAccount } from '../account-rows.ts';
import type { SqliteConnection } from './connection.ts';
import { insertRow, saveRow } from './write-row.ts';

/** Inserts `account` at the end of the list. Throws if its id is taken. */
export function insertAccount(connection: SqliteConnection, account: Account): void {
  insertRow(connection, 'account', rowOfAccount(account));
}

/**
 * Writes the mutable fields if the stored version equals the account's, and increments the version. Returns false if nothing was written.
 */
export function updateAccount(connection: SqliteConnection, account: Account): boolean {
  const { id, version } = account;
  return saveRow(connection, 'account', { ...changeableOfAccount(account), id, version });
}

/** Returns the account, or undefined if the id is unknown. */
export function selectAccount(connection: SqliteConnection, id: string): Account | undefined {
  const row = connection.first('SELECT * FROM account WHERE id = $id', { id });
  return row && accountOfRow(row);
}

/** Returns up to `limit` accounts created after the account `after`; none if `after` is unknown. */
export function selectAccounts(
  connection: SqliteConnection,
  { limit, after, search }: AccountPage,
): Account[] {
  const page = { limit, after: after ?? null };
  const rows =
    search === undefined
      ? connection.all(selectPage(''), page)
      : connection.all(selectPage(fitsSearch), { ...page, search });
  return rows.map(accountOfRow);
}

const selectPage = (condition: string): string => `
  SELECT * FROM account
  WHERE sequence > CASE WHEN $after IS NULL THEN 0 ELSE (SELECT sequence FROM account WHERE id = $after) END ${condition}
  ORDER BY sequence LIMIT $limit`;

/** `lower` changes only ASCII. A scan of 100,000 accounts takes about 20 ms. */
const fitsSearch = `AND (
  instr(lower(name), lower($search)) > 0 OR instr(lower(email), lower($search)) > 0
  OR instr(lower(id), lower($search)) = 1
)`;
