import { createHash } from 'node:crypto';
import { type Migrated, migratedSince } from '../migrated.ts';
import { StoreProblem } from '../store-problem.ts';
import type { Database, Queries } from './database.ts';
import type { PostgresMigration } from './migration.ts';

/** The key of the advisory lock that serializes migrations of nodes that start together. */
const MIGRATION_LOCK = 7_465_823_641;

/** Migrations of large tables, and the wait for another node that migrates. */
const LONGEST_MS = 3_600_000;

/** Applies the missing migrations in one transaction. Resolves to the upgrade of an older schema. */
export async function migrate(
  database: Database,
  migrations: readonly PostgresMigration[],
): Promise<Migrated | undefined> {
  return database.transaction(
    async (queries) => {
      await queries.run('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await queries.run(createMigrationTable);
      const startedAt = performance.now();
      const applied = await loadApplied(queries);
      refuseNewerSchema(applied, migrations);
      for (const migration of migrations) await apply(queries, migration, applied);
      const newest = (numbers: Iterable<number>) => Math.max(0, ...numbers);
      const to = newest(migrations.map(({ number }) => number));
      return migratedSince(startedAt, { from: newest(applied.keys()), to });
    },
    { deadlineMs: LONGEST_MS },
  );
}

const createMigrationTable = `
  CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    needs integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

type Applied = { checksum: string; needs: number };

async function loadApplied(queries: Queries): Promise<Map<number, Applied>> {
  const rows = await queries.all('SELECT number, checksum, needs FROM migration');
  return new Map(
    rows.map(({ number, checksum, needs }) => [
      Number(number),
      { checksum: String(checksum), needs: Number(needs) },
    ]),
  );
}

async function apply(
  queries: Queries,
  { number, name, sql, needs = 0 }: PostgresMigration,
  applied: Map<number, Applied>,
): Promise<void> {
  const checksum = createHash('sha256').update(sql).digest('hex');
  const known = applied.get(number)?.checksum;
  if (known === checksum) return;
  if (known !== undefined)
    throw new StoreProblem(
      `The database was created with another form of migration ${number} (${name})`,
      'run the version that created it; a released migration must never be edited',
    );
  for (const statement of sql.split(STATEMENT_END)) if (statement.trim()) await queries.run(statement);
  await queries.run('INSERT INTO migration (number, name, checksum, needs) VALUES ($1, $2, $3, $4)', [
    ...[number, name, checksum, needs],
  ]);
}

/** Statements are separated by a line with two dashes and a semicolon, since bodies of functions contain semicolons. */
const STATEMENT_END = /^\s*--;\s*$/m;

/** A newer version may have migrated the database, while nodes of this version still run or start. */
function refuseNewerSchema(applied: Map<number, Applied>, known: readonly PostgresMigration[]): void {
  const newest = Math.max(0, ...known.map(({ number }) => number));
  const needed = Math.max(0, ...[...applied.values()].map(({ needs }) => needs));
  if (needed <= newest) return;
  throw new StoreProblem(
    `The database needs a program that knows schema ${needed}, but this version knows ${newest}`,
    'run the newer version',
  );
}
