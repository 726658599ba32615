import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { checksumOf, editedStep } from '../schema-step.ts';
import { type SchemaUpgrade, upgradeSince } from '../schema-upgrade.ts';
import { StoreProblem } from '../store-problem.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { codeOfFailure } from './code-of-failure.ts';
import type { Database } from './database.ts';
import type { PostgresMigration, PostgresSchema } from './postgres-migration.ts';
import type { Queries, Transaction } from './queries.ts';

/** Migrations of large tables, and the wait for another node that migrates. */
const MAX_MS = HOUR_MS;

const createMigrationTable = `
  CREATE TABLE IF NOT EXISTS migration (
    number integer PRIMARY KEY,
    name text NOT NULL,
    checksum text NOT NULL,
    needs integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
  )`;

/** While a migration waits for the lock of a table, the requests of older nodes wait behind it. */
const LOCK_MS = 1_500;
/** Nodes that have nothing to migrate pass within this time. */
const PATIENCE_MS = 1_000;
const pauses = { firstMs: 500, maxMs: 5_000 };
/** A lock that another transaction holds, and a deadlock. */
const IN_THE_WAY = /^(?:55P03|40P01)/;

export type MigrateSteps = {
  /** Receives the problem whenever another node migrates, or other transactions use a table. */
  report?(problem: string): void;
  /** Reports whether the start was stopped, so it must not try again. */
  isStopped?(): boolean;
};

/**
 * Brings the schema up to date, and resolves to the upgrade of an older one.
 * Gives way to other transactions, such as a dump, and tries again for up to an hour.
 */
export async function migrate(
  database: Database,
  schema: PostgresSchema,
  { report, isStopped }: MigrateSteps = {},
): Promise<SchemaUpgrade | undefined> {
  const endsAt = performance.now() + MAX_MS;
  for (let failures = 0; ; failures++) {
    try {
      return await migrateOnce(database, schema, report);
    } catch (error) {
      const isOver = isStopped?.() === true || performance.now() >= endsAt;
      if (isOver || !IN_THE_WAY.test(codeOfFailure(error) ?? '')) throw error;
      report?.(messageOfError(error));
      await Bun.sleep(backoffMs(failures, pauses));
    }
  }
}

/** Applies the missing migrations, and then the functions, in one transaction. */
function migrateOnce(
  database: Database,
  { migrations, functions }: PostgresSchema,
  report: MigrateSteps['report'],
): Promise<SchemaUpgrade | undefined> {
  return database.transaction(
    async (queries) => {
      await takeTurn(queries, report);
      await queries.run(`SET LOCAL lock_timeout = ${LOCK_MS}`);
      await queries.run(createMigrationTable);
      const startedAt = performance.now();
      const applied = await loadApplied(queries);
      refuseNewerSchema(applied, migrations);
      const missing = migrations.filter((migration) => !isApplied(migration, applied));
      for (const migration of missing) await apply(queries, migration);
      if (missing.length > 0) for (const text of functions) await queries.script(text);
      return upgradeSince(startedAt, { from: largest(applied.keys()), to: newestOf(migrations) });
    },
    { deadlineMs: MAX_MS },
  );
}

/** Nodes that start together migrate one after another. A wait that is longer than a moment is reported. */
async function takeTurn(queries: Queries, report: MigrateSteps['report']): Promise<void> {
  const patience = setTimeout(() => report?.('Another node brings the schema up to date.'), PATIENCE_MS);
  try {
    await queries.run('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.migrate]);
  } finally {
    clearTimeout(patience);
  }
}

/** Refuses a database that no node of this version has migrated yet. */
export async function refuseOlderSchema(
  queries: Queries,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  const found = largest((await loadApplied(queries)).keys());
  const newest = newestOf(migrations);
  if (found >= newest) return;
  throw new StoreProblem(
    `The database has schema ${found}, but this version needs schema ${newest}`,
    'start a node of this version, which migrates it, or use the version of its nodes',
  );
}

type AppliedMigration = { checksum: string; needs: number };

async function loadApplied(queries: Queries): Promise<Map<number, AppliedMigration>> {
  const rows = await queries.all('SELECT number, checksum, needs FROM migration');
  return new Map(
    rows.map(({ number, checksum, needs }) => [
      Number(number),
      { checksum: String(checksum), needs: Number(needs) },
    ]),
  );
}

function isApplied(migration: PostgresMigration, applied: Map<number, AppliedMigration>): boolean {
  const earlier = applied.get(migration.number);
  if (earlier && earlier.checksum !== checksumOf(migration)) throw editedStep('The database', migration);
  return earlier !== undefined;
}

async function apply(queries: Transaction, migration: PostgresMigration): Promise<void> {
  const { number, name, sql, needs = 0 } = migration;
  await queries.script(sql);
  await queries.run('INSERT INTO migration (number, name, checksum, needs) VALUES ($1, $2, $3, $4)', [
    number,
    name,
    checksumOf(migration),
    needs,
  ]);
}

/** A newer version may have migrated the database, while nodes of this version still run or start. */
function refuseNewerSchema(
  applied: Map<number, AppliedMigration>,
  migrations: readonly PostgresMigration[],
): void {
  const newest = newestOf(migrations);
  const needed = largest([...applied.values()].map(({ needs }) => needs));
  if (needed <= newest) return;
  throw new StoreProblem(
    `The database needs a program that knows schema ${needed}, but this version knows ${newest}`,
    'run the newer version',
  );
}

const newestOf = (migrations: readonly PostgresMigration[]): number =>
  largest(migrations.map(({ number }) => number));

const largest = (numbers: Iterable<number>): number => Math.max(0, ...numbers);
