import { type ChainHead, NO_HEAD } from '../../ledger/chain-head.ts';
import { number, text } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

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

const updateHeadSql = 'UPDATE account_head SET number = $2, sequence = $3, hash = $4 WHERE account_id = $1';

export async function saveHead(queries: Queries, accountId: string, head: ChainHead): Promise<void> {
  await queries.run(updateHeadSql, [accountId, head.number, head.sequence, head.hash]);
}
