import type { SqliteConnection } from '../sqlite-connection.ts';

const deletions = ['batch_item', 'batch_request', 'batch_result'].map(
  (table) => `
    DELETE FROM ${table} WHERE batch = $sequence AND number IN
      (SELECT number FROM ${table} WHERE batch = $sequence LIMIT $limit)`,
);

/**
 * Deletes up to `limit` rows of a batch, and returns their number.
 * Items go first, so that no item starts without its request.
 */
export function deleteItems(connection: SqliteConnection, sequence: number, limit: number): number {
  let left = limit;
  for (const deletion of deletions) if (left > 0) left -= connection.run(deletion, { sequence, limit: left });
  return limit - left;
}
