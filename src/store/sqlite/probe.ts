import type { Connection } from './connection.ts';

/** A write that changes nothing of worth, to see whether one gets through to the disk. */
export function updateProbe(connection: Connection, now: number): void {
  connection.run('UPDATE probe SET at = $now WHERE id = 1', { now });
}
