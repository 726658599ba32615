import type { SqliteConnection } from './sqlite-connection.ts';

/** About the size of a change in the worst case: a new page in each table and index that it touches. */
const FILLING_BYTES = 32 * 1024;

/** Inserts a row as large as a change. The previous row still exists, so this row needs new space. */
export function insertProbe(connection: SqliteConnection, now: number): void {
  connection.run('INSERT INTO probe (at, filling) VALUES ($now, randomblob($size))', {
    now,
    size: FILLING_BYTES,
  });
}

/** Deletes the earlier rows. The next change or probe can use their space. */
export function deleteFormerProbes(connection: SqliteConnection): void {
  connection.run('DELETE FROM probe WHERE sequence < (SELECT max(sequence) FROM probe)');
}
