import type { HoldCheckpoint } from '../../../ledger/ledger-store.ts';
import type { Connection } from '../connection.ts';

/** Keeps a hold as it stands, over what was kept of it before. */
export function saveHold(connection: Connection, { posting, produced }: HoldCheckpoint): void {
  const { response: _, ...rest } = posting;
  connection.run(save, {
    requestId: posting.hold.order.requestId,
    checkpoint: JSON.stringify({ posting: rest, produced } satisfies HoldCheckpoint),
  });
}

export const deleteHold = (connection: Connection, requestId: string): void =>
  void connection.run('DELETE FROM open_hold WHERE request_id = $requestId', { requestId });

export const selectHolds = (connection: Connection, limit: number): HoldCheckpoint[] =>
  connection
    .all('SELECT checkpoint FROM open_hold ORDER BY request_id LIMIT $limit', { limit })
    .map(({ checkpoint }) => JSON.parse(String(checkpoint)) as HoldCheckpoint);

const save = `
  INSERT INTO open_hold (request_id, checkpoint) VALUES ($requestId, $checkpoint)
  ON CONFLICT DO UPDATE SET checkpoint = $checkpoint`;
