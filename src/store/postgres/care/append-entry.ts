import type { Entry } from '../../../money/ledger/entry.ts';
import { formatEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry } from '../../../money/ledger/hash-entry.ts';
import { type ChainHead, NO_HEAD } from '../../ledger/chain-head.ts';
import { number, text } from '../../row-columns.ts';
import { SqlStatement } from '../../sql-statement.ts';
import type { Queries } from '../queries.ts';

/** The node in entries of the command line and of repairs. */
export const NO_NODE = '';

const insertHeadSql = `
  INSERT INTO account_head (account_id, sequence, number, hash) VALUES ($1, 0, 0, '') ON CONFLICT DO NOTHING`;

/** Locks the end of an account's chain until the transaction ends. */
export async function lockHead(queries: Queries, accountId: string): Promise<ChainHead> {
  await queries.run(insertHeadSql, [accountId]);
  const row = await queries.first(
    'SELECT number, sequence, hash FROM account_head WHERE account_id = $1 FOR UPDATE',
    [accountId],
  );
  if (!row) return NO_HEAD;
  return { number: number(row, 'number'), sequence: number(row, 'sequence'), hash: text(row, 'hash') };
}

/**
 * Appends an entry to a chain whose head is locked. The caller writes the head and the balance. Returns
 * undefined if the entry exists.
 */
export async function appendEntry(
  queries: Queries,
  entry: Entry,
  last: ChainHead,
): Promise<ChainHead | undefined> {
  const { id, accountId, at } = entry;
  const sequence = last.sequence + 1;
  const text = formatEntry(entry, sequence);
  const hash = hashEntry(last.hash, id, text);
  const columns = { id, account_id: accountId, sequence, at, node: NO_NODE, text, hash };
  const statement = new SqlStatement();
  const insertion = `${statement.insert('entry', columns)} ON CONFLICT (id) DO NOTHING RETURNING number`;
  const row = await queries.first(insertion, statement.values);
  return row && { number: number(row, 'number'), sequence, hash };
}

export const saveHeadRow = (queries: Queries, accountId: string, head: ChainHead): Promise<number> =>
  // biome-ignore format: a line for each group
  queries.run('UPDATE account_head SET number = $2, sequence = $3, hash = $4 WHERE account_id = $1', [
    accountId, head.number, head.sequence,
    head.hash,
  ]);
