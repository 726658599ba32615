import { checksumOf, editedStep } from '../schema-step.ts';
import { type SchemaUpgrade, upgradeSince } from '../schema-upgrade.ts';
import { StoreProblem } from '../store-problem.ts';
import type { Migration } from './migration.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export type MigrateOptions = { migrations: readonly Migration[]; now: number };

type AppliedMigration = { number: number; name: string; checksum: string };

/**
 * Applies the missing `migrations`. If one fails, the earlier ones stay applied.
 * Returns the upgrade of an older schema.
 */
export function migrate(
  connection: SqliteConnection,
  { migrations, now }: MigrateOptions,
): SchemaUpgrade | undefined {
  const startedAt = performance.now();
  const applied = refuseUnknownSchema(connection, migrations);
  for (const migration of migrations.slice(applied.length)) applyMigration(connection, migration, now);
  return upgradeSince(startedAt, { from: newestOf(applied), to: newestOf(migrations) });
}

/** Refuses a database that a newer or a changed version has written. Returns the applied migrations. */
export function refuseUnknownSchema(
  connection: SqliteConnection,
  migrations: readonly Migration[],
): AppliedMigration[] {
  const applied = loadAppliedMigrations(connection);
  refuseNewerSchema(connection.path, applied, migrations);
  refuseEditedMigration(connection.path, applied, migrations);
  return applied;
}

/** Returns the applied migrations in order; none in a new database. */
export function loadAppliedMigrations(connection: SqliteConnection): AppliedMigration[] {
  const table = connection.first(
    "SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = 'migration'",
  );
  if (!table) return [];
  const rows = connection.all('SELECT number, name, checksum FROM migration ORDER BY number');
  return rows as AppliedMigration[];
}

const createMigrationTable = `
  CREATE TABLE IF NOT EXISTS migration (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at INTEGER NOT NULL
  ) STRICT`;

const insertMigrationSql = `
  INSERT INTO migration (number, name, checksum, applied_at)
  VALUES ($number, $name, $checksum, $appliedAt)`;

/** Applies a migration and records it in one transaction, so that a crash leaves both or neither. */
function applyMigration(connection: SqliteConnection, migration: Migration, now: number): void {
  connection.script('BEGIN IMMEDIATE');
  try {
    connection.script(createMigrationTable);
    connection.script(migration.sql);
    migration.fill?.(connection);
    connection.run(insertMigrationSql, {
      number: migration.number,
      name: migration.name,
      checksum: checksumOf(migration),
      appliedAt: now,
    });
    connection.script('COMMIT');
  } catch (error) {
    if (connection.inTransaction) connection.script('ROLLBACK');
    throw error;
  }
}

function refuseNewerSchema(
  path: string,
  applied: AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const found = newestOf(applied);
  const newest = newestOf(migrations);
  if (found <= newest) return;
  throw new StoreProblem(
    `${path} has schema ${found}, but this version supports schemas up to ${newest}`,
    'run the newer version again, or restore the backup from before the upgrade',
  );
}

function refuseEditedMigration(
  path: string,
  applied: AppliedMigration[],
  migrations: readonly Migration[],
): void {
  for (const [index, { number, name, checksum }] of applied.entries()) {
    const migration = migrations[index];
    if (migration?.number === number && checksumOf(migration) === checksum) continue;
    throw editedStep(path, { number, name });
  }
}

const newestOf = (steps: readonly { number: number }[]): number => steps.at(-1)?.number ?? 0;
