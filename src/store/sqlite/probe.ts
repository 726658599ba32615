import type { SqliteConnection } from './connection.ts';

/** About what a change needs in the worst case: a new page in each table and index that it touches. */
const FILLING_BYTES = 32 * 1024;

/** Adds a row as large as a change. That the one before still lies there makes it ask for new space. */
export function insertProbe(connection: SqliteConnection, now: number): void {
  connection.run('INSERT INTO probe (at, filling) VALUES ($now, randomblob($size))', {
    now,
    size: FILLING_BYTES,
  });
}

/** Removes the rows before the last, whose space then serves the next change or probe. */
export function deleteFormerProbes(connection: SqliteConnection): void {
  connection.run('DELETE FROM probe WHERE sequence < (SELECT max(sequence) FROM probe)');
}
