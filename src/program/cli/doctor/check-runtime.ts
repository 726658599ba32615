import { Database } from 'bun:sqlite';
import { refuseOldSqlite } from '../../../store/sqlite/refuse-old-sqlite.ts';
import { StoreProblem } from '../../../store/store-problem.ts';
import type { Check } from './check.ts';
import { type Finding, fail, ok } from './finding.ts';

const OLDEST_BUN = '1.4.4';

/** Checks the versions of the runtime and of its SQLite. */
export const checkRuntime: Check = () => [checkBun(Bun.version), checkSqlite(readSqliteVersion())];

function checkBun(version: string): Finding {
  if (Bun.semver.order(version, OLDEST_BUN) >= 0) return ok('runtime', `Bun ${version}`);
  const message = `Bun ${version} is older than ${OLDEST_BUN}`;
  return fail('runtime', message, 'start Tollgate with bin/tollgate, which uses the installed Bun');
}

function checkSqlite(version: string): Finding {
  try {
    refuseOldSqlite(version);
    return ok('runtime', `SQLite ${version}`);
  } catch (error) {
    if (error instanceof StoreProblem) return fail('runtime', error.message, error.hint);
    throw error;
  }
}

function readSqliteVersion(): string {
  using database = new Database(':memory:');
  const row = database.query<{ version: string }, []>('SELECT sqlite_version() AS version').get();
  return row!.version;
}
