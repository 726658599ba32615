import type { Entry, Receipt, WrittenEntry } from '../../../ledger/entry.ts';
import type { EntryPage } from '../../../ledger/ledger-store.ts';
import type { Connection, Row } from '../connection.ts';

/** False: there is an entry of this id already, and nothing was written. */
export function insertEntry(connection: Connection, { receipt, ...entry }: WrittenEntry): boolean {
  return connection.run(insert, { ...entry, receipt: receipt && JSON.stringify(receipt) }) > 0;
}

export const hasEntry = (connection: Connection, id: string): boolean =>
  connection.first('SELECT 1 FROM entry WHERE id = $id', { id }) !== undefined;

export function selectEntry(connection: Connection, id: string): WrittenEntry | undefined {
  const row = connection.first('SELECT * FROM entry WHERE id = $id', { id });
  return row && entryOf(row);
}

/** The account's last entry, which the next one's hash is over. */
export function selectHead(
  connection: Connection,
  accountId: string,
): { sequence: number; hash: string } | undefined {
  const row = connection.first(selectLast, { accountId });
  return row && { sequence: row.sequence as number, hash: row.hash as string };
}

/** Newest first; undefined: the account has no entry `after`. */
export function selectEntries(connection: Connection, page: EntryPage): WrittenEntry[] | undefined {
  const { accountId, limit, after } = page;
  const last = after === undefined ? undefined : connection.first(selectSequence, { accountId, id: after });
  if (after !== undefined && !last) return undefined;
  const before = (last?.sequence as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  return connection.all(selectBefore, { accountId, before, limit }).map(entryOf);
}

/** Oldest first, behind `sequence`. */
export const selectEntriesAfter = (
  connection: Connection,
  from: { accountId: string; sequence: number; limit: number },
): WrittenEntry[] => connection.all(selectAfter, from).map(entryOf);

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

const insert = `
  INSERT INTO entry (account_id, sequence, id, at, kind, period, microcredits, receipt, reason, hash)
  VALUES ($accountId, $sequence, $id, $at, $kind, $period, $microcredits, $receipt, $reason, $hash)
  ON CONFLICT (id) DO NOTHING`;

const selectLast =
  'SELECT sequence, hash FROM entry WHERE account_id = $accountId ORDER BY sequence DESC LIMIT 1';
const selectSequence = 'SELECT sequence FROM entry WHERE id = $id AND account_id = $accountId';
const selectBefore = `
  SELECT * FROM entry WHERE account_id = $accountId AND sequence < $before ORDER BY sequence DESC LIMIT $limit`;
const selectAfter = `
  SELECT * FROM entry WHERE account_id = $accountId AND sequence > $sequence ORDER BY sequence LIMIT $limit`;
/** None can be left out by removing it from one of them. */
const accountTables = ['entry', 'bucket', 'usage_day'] as const;
/** From one account to the next: millions of rows in between are not read. */
const selectAccountsOf = (table: (typeof accountTables)[number]): string => `
  WITH RECURSIVE account (id) AS (
    SELECT MIN(account_id) FROM ${table} WHERE account_id > $after
    UNION ALL
    SELECT (SELECT MIN(account_id) FROM ${table} WHERE account_id > account.id) FROM account WHERE id IS NOT NULL
  )
  SELECT id FROM account WHERE id IS NOT NULL LIMIT $limit`;

const entryOf = (row: Row): WrittenEntry => ({
  id: row.id as string,
  accountId: row.account_id as string,
  sequence: row.sequence as number,
  at: row.at as number,
  kind: row.kind as Entry['kind'],
  period: row.period as string,
  microcredits: row.microcredits as number,
  receipt: row.receipt === null ? null : (JSON.parse(row.receipt as string) as Receipt),
  reason: row.reason as string | null,
  hash: row.hash as string,
});
