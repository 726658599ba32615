import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import { sealOf } from './seal.ts';

/** The rows in one page. */
const ROWS_AT_A_TIME = 200;

const saveSql = `
  INSERT INTO open_hold (request_id, checkpoint, seal) VALUES ($requestId, $checkpoint, $seal)
  ON CONFLICT DO UPDATE SET checkpoint = $checkpoint, seal = $seal`;

/**
 * Replaces the saved checkpoint of a hold with the latest one. A response is not saved: its request has
 * not ended, and a hold that is billed after a crash stores no response.
 */
export function saveHold(connection: SqliteConnection, { posting, ...checkpoint }: HoldCheckpoint): void {
  const { response: _, ...withoutResponse } = posting;
  const { requestId } = posting.hold.order;
  const text = JSON.stringify({ posting: withoutResponse, ...checkpoint } satisfies HoldCheckpoint);
  connection.run(saveSql, { requestId, checkpoint: text, seal: sealOf('open_hold', requestId, text) });
}

export const deleteHold = (connection: SqliteConnection, requestId: string): void =>
  void connection.run('DELETE FROM open_hold WHERE request_id = $requestId', { requestId });

/** A row of `open_hold`. `hold` is undefined if the row was changed, so that it must not be billed. */
export type KeptHold = { requestId: string; text: string; hold: HoldCheckpoint | undefined };

const selectPageSql = `
  SELECT request_id, checkpoint, seal FROM open_hold WHERE request_id >= $from ORDER BY request_id LIMIT $limit`;

/** Reads all rows by page, in the order of request ids. The caller may delete the rows of earlier pages. */
export function* holdPages(connection: SqliteConnection): Generator<KeptHold[], void> {
  // A row that was changed can have an empty id, so the first page includes it.
  for (let from = ''; ; ) {
    const page = withSqliteProblems(connection.path, () =>
      connection.all(selectPageSql, { from, limit: ROWS_AT_A_TIME }).map(keptHold),
    );
    yield page;
    if (page.length < ROWS_AT_A_TIME) return;
    // Ids have no control characters, so every later id is greater than this text.
    from = `${page.at(-1)!.requestId}\u0001`;
  }
}

function keptHold({ request_id, checkpoint, seal }: Row): KeptHold {
  const requestId = String(request_id);
  const text = String(checkpoint);
  const isIntact = seal === sealOf('open_hold', requestId, text);
  return { requestId, text, hold: isIntact ? parseCheckpoint(text) : undefined };
}

/** Returns undefined for a text that was changed before migration 9 sealed all rows as they were. */
function parseCheckpoint(text: string): HoldCheckpoint | undefined {
  try {
    return JSON.parse(text) as HoldCheckpoint;
  } catch {
    return undefined;
  }
}

/** Deletes rows that were changed, and returns their number. */
export function removeBrokenHolds(connection: SqliteConnection): number {
  let removed = 0;
  for (const page of holdPages(connection))
    for (const { requestId, hold } of page) {
      if (hold) continue;
      deleteHold(connection, requestId);
      removed += 1;
    }
  return removed;
}
