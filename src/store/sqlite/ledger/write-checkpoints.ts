import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { deleteHold, saveHold } from './hold-rows.ts';
import { OpenHold } from './open-hold.ts';

/**
 * Saves open holds in `open_hold`, and deletes the rows of requests that ended.
 * Holds that ended since are skipped.
 */
export function writeCheckpoints(
  connection: SqliteConnection,
  { holds, ended }: { holds: readonly HoldCheckpoint[]; ended: readonly string[] },
): void {
  for (const requestId of ended) deleteHold(connection, requestId);
  for (const checkpoint of holds) {
    const { hold } = checkpoint.posting;
    if (!(hold instanceof OpenHold && hold.isOpen)) continue;
    hold.away ??= checkpoint.away;
    saveHold(connection, hold.away ? { ...checkpoint, away: hold.away } : checkpoint);
    hold.isKept = true;
    hold.hasOutput = checkpoint.produced;
  }
}
