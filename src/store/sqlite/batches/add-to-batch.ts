import { expiryStep } from '../../expiry-step.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { addStored } from '../stored-bytes.ts';

const addSql = `
  UPDATE batch SET stored = stored + ? WHERE sequence = ? AND stored IS NOT NULL
  RETURNING account_id, created_at, expires_at`;

/** Adds to the counted bytes of a batch. Batches of earlier versions are not counted. */
export function addToBatch(connection: SqliteConnection, sequence: number, bytes: number): void {
  for (const { account_id, created_at, expires_at } of connection.all(addSql, [bytes, sequence])) {
    const until = expiryStep({ createdAt: Number(created_at), expiresAt: Number(expires_at) });
    addStored(connection, { accountId: String(account_id), until, bytes });
  }
}
