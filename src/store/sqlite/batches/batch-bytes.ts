import type { Connection } from '../connection.ts';
import { addStored } from '../stored-bytes.ts';

/** Counts that what a batch holds has become more, or less. Batches of before are not counted. */
export function addToBatch(connection: Connection, sequence: number, bytes: number): void {
  for (const { account_id } of connection.all(add, { sequence, bytes }))
    addStored(connection, String(account_id), bytes);
}

const add = `
  UPDATE batch SET stored = stored + $bytes WHERE sequence = $sequence AND stored IS NOT NULL RETURNING account_id`;
