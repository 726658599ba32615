import type { ChainedEntry } from '../../../money/ledger/repair-entry.ts';
import { flag, number, text } from '../../row-columns.ts';
import type { PostgresRow, SqlValue } from '../database.ts';
import type { Queries } from '../queries.ts';

/**
 * A row of `entry`. `previous` is the number of the account's entry before it, in the table or in the
 * archive. `isRolledUp` is true if the sums of hours and days have the entry.
 */
export type PostgresEntryRow = ChainedEntry & {
  accountId: string;
  sequence: number;
  at: number;
  isRolledUp: boolean;
};

const SELECT = `
  SELECT number, entry.id, account_id, sequence, at, text, hash,
    coalesce(number <= mark.restored_up_to OR entry.xid < mark.xid, false) AS is_rolled_up
  FROM entry LEFT JOIN usage_watermark mark ON true`;

/**
 * Returns an account's entries before a sequence, newest first. `archived` is the number of the account's
 * last archived entry.
 */
export async function selectEntriesBefore(
  queries: Queries,
  of: { accountId: string; sequence: number | undefined; limit: number; archived?: number },
): Promise<PostgresEntryRow[]> {
  const { accountId, sequence, limit, archived = 0 } = of;
  const before = sequence === undefined ? '' : 'AND sequence < $3';
  const values: SqlValue[] = [accountId, limit + 1, ...(sequence === undefined ? [] : [sequence])];
  const sql = `${SELECT} WHERE account_id = $1 ${before} ORDER BY sequence DESC LIMIT $2`;
  return withPrevious(await queries.all(sql, values), archived).slice(0, limit);
}

export async function selectEntryById(queries: Queries, id: string): Promise<PostgresEntryRow | undefined> {
  const row = await queries.first(`${SELECT} WHERE entry.id = $1`, [id]);
  return row && entryRowOf(row, 0);
}

export const hasEntryRow = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.first('SELECT 1 FROM entry WHERE id = $1', [id])) !== undefined;

/** The oldest entries of all accounts after a number. */
export const selectOldest = async (
  queries: Queries,
  { after, limit }: { after: number; limit: number },
): Promise<PostgresEntryRow[]> =>
  (await queries.all(`${SELECT} WHERE number > $1 ORDER BY number LIMIT $2`, [after, limit])).map((row) =>
    entryRowOf(row, 0),
  );

const withPrevious = (rows: readonly PostgresRow[], archived: number): PostgresEntryRow[] =>
  rows.map((row, index) => entryRowOf(row, Number(rows[index + 1]?.number ?? archived)));

const entryRowOf = (row: PostgresRow, previous: number): PostgresEntryRow => ({
  number: number(row, 'number'),
  id: text(row, 'id'),
  previous,
  text: text(row, 'text'),
  hash: text(row, 'hash'),
  accountId: text(row, 'account_id'),
  sequence: number(row, 'sequence'),
  at: number(row, 'at'),
  isRolledUp: flag(row, 'is_rolled_up'),
});
