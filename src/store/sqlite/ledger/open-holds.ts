import type { HoldCheckpoint } from '../../../ledger/ledger-store.ts';
import type { Connection } from '../connection.ts';

/** Keeps a hold as it stands, over what was kept of it before. */
export function saveHold(connection: Connection, { posting, ...checkpoint }: HoldCheckpoint): void {
  const { response: _, ...rest } = posting;
  connection.run(save, {
    requestId: posting.hold.order.requestId,
    checkpoint: JSON.stringify({ posting: rest, ...checkpoint } satisfies HoldCheckpoint),
  });
}

export const deleteHold = (connection: Connection, requestId: string): void =>
  void connection.run('DELETE FROM open_hold WHERE request_id = $requestId', { requestId });

/** By the ids of their requests, behind `after`. */
export const selectHolds = (
  connection: Connection,
  page: { after: string; limit: number },
): HoldCheckpoint[] =>
  connection.all(select, page).map(({ checkpoint }) => JSON.parse(String(checkpoint)) as HoldCheckpoint);

const select = `
  SELECT checkpoint FROM open_hold WHERE request_id > $after ORDER BY request_id LIMIT $limit`;

const save = `
  INSERT INTO open_hold (request_id, checkpoint) VALUES ($requestId, $checkpoint)
  ON CONFLICT DO UPDATE SET checkpoint = $checkpoint`;
