import { join } from 'node:path';
import { prepareDirectory, prepareFile } from '../data-directory.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import { SqliteConnection } from '../sqlite-connection.ts';

/** Creates a data directory of an old schema for a test, and fills it with `fill`. */
export function makeOldDirectory(
  directory: string,
  schema: readonly Migration[],
  fill: (connection: SqliteConnection) => void,
): void {
  const path = join(directory, 'tollgate.db');
  prepareDirectory(directory);
  prepareFile(directory, path);
  const connection = new SqliteConnection(path);
  connection.configure();
  migrate(connection, { migrations: schema, now: 1 });
  fill(connection);
  connection.close();
}
