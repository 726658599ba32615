import { StoreProblem } from '../store-problem.ts';

/**
 * Up to 3.51.2, a commit concurrent with another connection's checkpoint can corrupt the database:
 * sqlite.org/wal.html.
 */
const OLDEST_SQLITE = '3.51.3';

export function refuseOldSqlite(version: string): void {
  if (Bun.semver.order(version, OLDEST_SQLITE) >= 0) return;
  throw new StoreProblem(
    `SQLite ${version} is too old: the server needs ${OLDEST_SQLITE} or newer`,
    'run the server with the Bun that is installed with it',
  );
}
