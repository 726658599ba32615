import type { EntryPage } from '../../../money/ledger/ledger-store.ts';
import type { SqliteConnection } from '../connection.ts';
import { accountOfRow } from './account-of-row.ts';
import { type EntryRow, selectChainPiece, selectEntry } from './entries.ts';
import type { Head } from './heads.ts';

/**
 * Returns entries newest first, from the account's last one or from the one before `after`; undefined: the account has no entry `after`.
 */
export function selectEntries(
  connection: SqliteConnection,
  { accountId, limit, after }: EntryPage,
  head: Head,
): EntryRow[] | undefined {
  if (after === undefined) return selectChainPiece(connection, { from: head.number, behind: 0, limit });
  const last = selectEntry(connection, after);
  if (!last || accountOfRow(connection, last) !== accountId) return undefined;
  return selectChainPiece(connection, { from: last.previous, behind: 0, limit });
}
