import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Queries } from '../../store/postgres/queries.ts';

/** The row of `store_migration` that names the data directory's content. */
const SOURCE = ' source';

const createMigrationTableSql = `
  CREATE TABLE IF NOT EXISTS store_migration (
    name text PRIMARY KEY,
    cursor text NOT NULL,
    rows bigint NOT NULL,
    is_done boolean NOT NULL
  )`;

/**
 * Reserves an empty database for the data directory, or continues an interrupted migration from it. Returns
 * true if all is moved.
 */
export async function claimTarget(
  database: Database,
  { id, state }: { id: string; state: string },
): Promise<boolean> {
  return database.transaction(async (queries) => {
    await queries.run(createMigrationTableSql);
    await queries.run('LOCK TABLE store_migration');
    const claimed = await queries.first('SELECT cursor, is_done FROM store_migration WHERE name = $1', [
      SOURCE,
    ]);
    if (!claimed) {
      await claimEmpty(queries, JSON.stringify({ id, state }));
      return false;
    }
    // `claimEmpty` wrote the cursor.
    const source = JSON.parse(String(claimed.cursor)) as { id: string; state: string };
    if (source.id !== id) throw occupied();
    // After the end of a migration, a server may have used the directory once more by mistake.
    if (source.state !== state)
      throw new Unavailable(
        'The data directory was changed since its migration began',
        'migrate it to an empty database',
      );
    return claimed.is_done === true;
  });
}

async function claimEmpty(queries: Queries, cursor: string): Promise<void> {
  const target = await queries.first(`
    SELECT EXISTS (SELECT FROM account) OR EXISTS (SELECT FROM entry) OR EXISTS (SELECT FROM admin_token)
      OR EXISTS (SELECT FROM installation WHERE admin_token_hash IS NOT NULL OR first_account_id IS NOT NULL) AS is_used`);
  if (target?.is_used === true) throw occupied();
  await queries.run('INSERT INTO store_migration (name, cursor, rows, is_done) VALUES ($1, $2, 0, false)', [
    SOURCE,
    cursor,
  ]);
}

const occupied = (): Unavailable =>
  new Unavailable('The database belongs to another installation', 'pass the URL of an empty database');

/** Runs the last statements of a migration in one transaction, which also marks it as complete. */
export async function completeTarget(database: Database, statements: readonly string[]): Promise<void> {
  await database.transaction(async (queries) => {
    for (const statement of statements) await queries.run(statement);
    await queries.run('UPDATE store_migration SET is_done = true WHERE name = $1', [SOURCE]);
  });
}
