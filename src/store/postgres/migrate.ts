import { createHash } from 'node:crypto';
import { StoreProblem } from '../store-problem.ts';
import type { Database, Queries } from './database.ts';
import type { PostgresMigration } from './migration.ts';

/** The key of the advisory lock that serializes migrations of nodes that start together. */
const MIGRATION_LOCK = 7_465_823_641;

/** Migrations of large tables, and the wait for another node that migrates. */
const LONGEST_MS = 3_600_000;

/** Applies the missing migrations in one transaction. */
export async function migrate(database: Database, migrations: readonly PostgresMigration[]): Promise<void> {
  await database.transaction(
    async (queries) => {
      await queries.run('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await queries.run(createMigrationTable);
      const applied = await loadApplied(queries);
      refuseNewerSchema(applied, migrations);
      for (const migration of migrations) await apply(queries, migration, applied);
    },
    { deadlineMs: LONGEST_MS },
  );
}

const createMigrationTable = `
  CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

async function loadApplied(queries: Queries): Promise<Map<number, string>> {
  const rows = await queries.all('SELECT number, checksum FROM migration');
  return new Map(rows.map(({ number, checksum }) => [Number(number), String(checksum)]));
}

async function apply(
  queries: Queries,
  { number, name, sql }: PostgresMigration,
  applied: Map<number, string>,
): Promise<void> {
  const checksum = createHash('sha256').update(sql).digest('hex');
  const known = applied.get(number);
  if (known === checksum) return;
  if (known !== undefined)
    throw new StoreProblem(
      `The database was created with another form of migration ${number} (${name})`,
      'run the version that created it; a released migration must never be edited',
    );
  for (const statement of sql.split(STATEMENT_END)) if (statement.trim()) await queries.run(statement);
  await queries.run('INSERT INTO migration (number, name, checksum) VALUES ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
}

/** Statements are separated by a line with two dashes and a semicolon, since bodies of functions contain semicolons. */
const STATEMENT_END = /^\s*--;\s*$/m;

function refuseNewerSchema(applied: Map<number, string>, known: readonly PostgresMigration[]): void {
  const found = Math.max(0, ...applied.keys());
  const newest = Math.max(0, ...known.map(({ number }) => number));
  if (found <= newest) return;
  throw new StoreProblem(
    `The database has schema ${found}, but this version supports schemas up to ${newest}`,
    'run the newer version again',
  );
}
