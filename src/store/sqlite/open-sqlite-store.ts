import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../base/lib/clock.ts';
import { FileIdentity } from '../file-identity.ts';
import type { SchemaUpgrade } from '../schema-upgrade.ts';
import {
  DATABASE_FILE,
  lostDatabase,
  prepareDirectory,
  prepareFile,
  refuseUnfinishedRestore,
} from './data-directory.ts';
import { lockDirectory } from './directory-lock.ts';
import { type MigrateOptions, migrate } from './migrate.ts';
import type { Migration } from './migration.ts';
import { migrations as allMigrations } from './migrations.ts';
import { refuseOldSqlite } from './refuse-old-sqlite.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { createSqliteStore, type SqliteStore, type SqliteStoreParts } from './sqlite-store.ts';

export type SqliteStoreOptions = {
  /** The data directory, which is created if it does not exist. One server can use it at a time. */
  directory: string;
  clock?: Clock;
  /** Tests of upgrades replace the migrations. */
  migrations?: readonly Migration[];
  /** Receives the upgrade of an older schema. */
  reportMigrated?: (migrated: SchemaUpgrade) => void;
};

/**
 * Opens `tollgate.db` in the directory, and creates or migrates it. Rejects with a StoreProblem on failure.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { clock = systemClock, migrations = allMigrations } = options;
  const directory = resolve(options.directory);
  const path = join(directory, DATABASE_FILE);
  prepareDirectory(directory);
  refuseUnfinishedRestore(directory);
  const lock = lockDirectory(directory);
  try {
    const problem = lostDatabase(directory);
    if (problem) throw problem;
    prepareFile(directory, path);
    const connection = withSqliteProblems(path, () =>
      openConnection(path, { migrations, now: clock.now(), reportMigrated: options.reportMigrated }),
    );
    return withSqliteProblems(path, () =>
      createOrClose({ connection, file: new FileIdentity(path), lock, clock }),
    );
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Creates the store, which writes the sums that a crash has left out. */
function createOrClose(parts: SqliteStoreParts): SqliteStore {
  try {
    return createSqliteStore(parts);
  } catch (error) {
    parts.connection.close();
    throw error;
  }
}

function openConnection(
  path: string,
  upgrade: MigrateOptions & { reportMigrated: SqliteStoreOptions['reportMigrated'] },
): SqliteConnection {
  const connection = new SqliteConnection(path);
  try {
    refuseOldSqlite(String(connection.first('SELECT sqlite_version() AS version')?.version));
    connection.configure();
    const migrated = migrate(connection, upgrade);
    connection.startServing();
    if (migrated) upgrade.reportMigrated?.(migrated);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
