import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteConnection } from '../sqlite-connection.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export type TestConnection = { path: string; connection: SqliteConnection; remove(): void };

/** Opens a new database without a schema in a temporary directory. The test closes it. */
export function openTestConnection(): TestConnection {
  const { directory, remove } = temporaryDirectory();
  const path = join(directory, 'test.db');
  closeSync(openSync(path, 'wx'));
  const connection = new SqliteConnection(path);
  connection.configure();
  return { path, connection, remove };
}
