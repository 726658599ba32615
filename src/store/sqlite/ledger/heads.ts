import type { Connection } from '../connection.ts';

/** Where an account's chain of entries ends. */
export type Head = { number: number; sequence: number; hash: string };

/** Of who has no entry. */
export const NO_HEAD: Head = { number: 0, sequence: 0, hash: '' };

export function selectHead(connection: Connection, accountId: string): Head {
  const row = connection.first(select, { accountId });
  if (!row) return NO_HEAD;
  return { number: Number(row.number), sequence: Number(row.sequence), hash: String(row.hash) };
}

export const saveHead = (connection: Connection, accountId: string, head: Head): void =>
  void connection.run(save, { accountId, ...head });

/** Ids of accounts of which anything is written, in order. */
export function selectLedgerAccounts(
  connection: Connection,
  page: { limit: number; after: string },
): string[] {
  const ids = accountTables.flatMap((table) =>
    connection.all(selectAccountsOf(table), page).map(({ id }) => String(id)),
  );
  return [...new Set(ids)].sort().slice(0, page.limit);
}

/** Up to which number every entry is in the sums. */
export const selectSummed = (connection: Connection): number =>
  Number(connection.first('SELECT number FROM summed')!.number);

export const saveSummed = (connection: Connection, number: number): void =>
  void connection.run('UPDATE summed SET number = $number', { number });

const select = 'SELECT number, sequence, hash FROM account_head WHERE account_id = $accountId';
const save = `
  INSERT INTO account_head (account_id, number, sequence, hash) VALUES ($accountId, $number, $sequence, $hash)
  ON CONFLICT DO UPDATE SET number = $number, sequence = $sequence, hash = $hash`;
/** None can be left out by removing it from one of them. */
const accountTables = ['account_head', 'bucket', 'usage_day'] as const;
/** From one account to the next: millions of rows in between are not read. */
const selectAccountsOf = (table: (typeof accountTables)[number]): string => `
  WITH RECURSIVE account (id) AS (
    SELECT MIN(account_id) FROM ${table} WHERE account_id > $after
    UNION ALL
    SELECT (SELECT MIN(account_id) FROM ${table} WHERE account_id > account.id) FROM account WHERE id IS NOT NULL
  )
  SELECT id FROM account WHERE id IS NOT NULL LIMIT $limit`;
