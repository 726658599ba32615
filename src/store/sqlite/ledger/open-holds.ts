import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { SqliteConnection } from '../connection.ts';
import { sealOf } from './seal.ts';

const HOLDS_AT_A_TIME = 200;

/** Saves the current state of a hold over its previous one. */
export function saveHold(connection: SqliteConnection, { posting, ...checkpoint }: HoldCheckpoint): void {
  const { response: _, ...rest } = posting;
  const { requestId } = posting.hold.order;
  const text = JSON.stringify({ posting: rest, ...checkpoint } satisfies HoldCheckpoint);
  connection.run(saveSql, { requestId, checkpoint: text, seal: sealOf('open_hold', requestId, text) });
}

export const deleteHold = (connection: SqliteConnection, requestId: string): void =>
  void connection.run('DELETE FROM open_hold WHERE request_id = $requestId', { requestId });

/** A row of `open_hold`. `hold` is undefined if the row was changed, so that it must not be billed. */
export type KeptHold = { requestId: string; text: string; hold: HoldCheckpoint | undefined };

/** Returns rows in the order of request ids, starting at `from`. */
export const selectHolds = (
  connection: SqliteConnection,
  page: { from: string; limit: number },
): KeptHold[] =>
  connection.all(selectPageSql, page).map((row) => {
    const [requestId, text] = [String(row.request_id), String(row.checkpoint)];
    return {
      requestId,
      text,
      hold: row.seal === sealOf('open_hold', requestId, text) ? parse(text) : undefined,
    };
  });

/** The start of the next page. */
export const behind = ({ requestId }: KeptHold): string => `${requestId}\u0001`;

/** Deletes rows that were changed, and returns their number. */
export function removeBrokenHolds(connection: SqliteConnection): number {
  let removed = 0;
  for (let from = ''; ; ) {
    const rows = selectHolds(connection, { from, limit: HOLDS_AT_A_TIME });
    for (const { requestId, hold } of rows) {
      if (hold) continue;
      deleteHold(connection, requestId);
      removed += 1;
    }
    if (rows.length < HOLDS_AT_A_TIME) return removed;
    from = behind(rows.at(-1)!);
  }
}

function parse(text: string): HoldCheckpoint | undefined {
  try {
    return JSON.parse(text) as HoldCheckpoint;
  } catch {
    return undefined;
  }
}

const selectPageSql = `
  SELECT request_id, checkpoint, seal FROM open_hold WHERE request_id >= $from ORDER BY request_id LIMIT $limit`;
const saveSql = `
  INSERT INTO open_hold (request_id, checkpoint, seal) VALUES ($requestId, $checkpoint, $seal)
  ON CONFLICT DO UPDATE SET checkpoint = $checkpoint, seal = $seal`;
