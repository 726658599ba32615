import type { Entry } from '../../../money/ledger/entry.ts';
import { formatEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry } from '../../../money/ledger/hash-entry.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import { number } from '../../row-columns.ts';
import { SqlStatement } from '../../sql-statement.ts';
import type { Queries } from '../queries.ts';

/** The node in entries of the command line and of repairs. */
export const NO_NODE = '';

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
