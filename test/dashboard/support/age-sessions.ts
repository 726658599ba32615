import { Database as SqliteFile } from 'bun:sqlite';
import { join } from 'node:path';
import { MINUTE_MS } from '../../../src/base/lib/units.ts';
import { Database } from '../../../src/store/postgres/database.ts';
import { databaseOf } from '../../support/postgres/database-of.ts';

/** Makes all sessions of a server eleven minutes older. */
export async function ageSessions({ dataDirectory }: { dataDirectory: string }): Promise<void> {
  const statement = `UPDATE person_session SET created_at = created_at - ${11 * MINUTE_MS}`;
  const url = await databaseOf(dataDirectory);
  if (url === undefined) {
    using file = new SqliteFile(join(dataDirectory, 'tollgate.db'));
    file.run('PRAGMA busy_timeout = 30000');
    file.run(statement);
    return;
  }
  const database = new Database({ url, maxConnections: 1 });
  await database.all(statement);
  await database.close();
}
