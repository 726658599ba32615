import { Database } from 'bun:sqlite';
import { closeSync, openSync } from 'node:fs';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';

/** Another process may lock the file briefly while it recovers the log. */
const BUSY_TIMEOUT_MS = 5_000;

export type CopiedDatabase = { schema: number; segments: string[] };

/**
 * Copies a database within one read transaction. A running server can write meanwhile. The copy has no free
 * pages.
 */
export function copyDatabase(from: string, to: string): CopiedDatabase {
  // SQLite writes into an existing empty file. A file that SQLite creates would be readable by all users.
  closeSync(openSync(to, 'wx', 0o600));
  try {
    using source = new Database(from, { readonly: true });
    source.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    source.run('VACUUM INTO ?', [to]);
    return contentOf(to);
  } catch (error) {
    throw new Unavailable(
      `${from} cannot be copied to ${to} (${messageOfError(error)})`,
      'check the free space there, and run tollgate doctor',
      error,
    );
  }
}

/** Returns the number of the latest migration, and the files of the archive that the database names. */
function contentOf(path: string): CopiedDatabase {
  using copy = new Database(path, { readonly: true });
  const schema = copy.query<{ number: number }, []>('SELECT MAX(number) AS number FROM migration').get();
  const hasSegments = copy.query("SELECT 1 FROM sqlite_schema WHERE name = 'ledger_segment'").get() !== null;
  const rows = hasSegments ? copy.query<{ file: string }, []>('SELECT file FROM ledger_segment').all() : [];
  return { schema: schema?.number ?? 0, segments: rows.map(({ file }) => file) };
}
