import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import { migrate as migrateSqlite } from '../../src/store/sqlite/migrate.ts';
import { migrations } from '../../src/store/sqlite/migrations.ts';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.ts';
import { openTestConnection } from '../../src/store/sqlite/testing/open-test-connection.ts';
import { loadDatabase, unpackDirectory } from './support/kept-release.ts';
import { releases } from './support/releases.ts';

// The statements of the first migrations were in another layout when releases applied them.

const place = mkdtempSync(join(tmpdir(), 'tollgate-schemas-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Removes comments and the layout of a statement. */
const wordsOf = (text: unknown): string =>
  String(text)
    .replace(/--.*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\() | (?=\))/g, '')
    .trim();

function sqliteSchema(connection: SqliteConnection): unknown[] {
  migrateSqlite(connection, { migrations, now: 0 });
  const rows = connection.all('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name');
  connection.close();
  return rows.map(({ type, name, sql }) => [type, name, wordsOf(sql)]);
}

/** The sweep divides the table of records into months later. */
const OF_MONTHS = /^request_(?:group|by_)/;

const postgresSchemaSql = `
  SELECT 'column' AS kind, concat_ws(' ', attrelid::regclass, attname) AS name,
    concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS text
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'constraint', concat_ws(' ', conrelid::regclass, conname), pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'function', oid::regprocedure::text, pg_get_functiondef(oid)
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', concat_ws(' ', tgrelid::regclass, tgname), pg_get_triggerdef(oid)
    FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY kind, name`;

async function postgresSchema(url: string): Promise<unknown[]> {
  const database = new Database({ url, maxConnections: 1, deadlineMs: 60_000 });
  await database.script('SET search_path = public');
  await migrate(database, schema);
  const rows = await database.all(postgresSchemaSql);
  await database.close();
  return rows
    .map(({ kind, name, text }) => [String(kind), String(name), wordsOf(text)])
    .filter(([, name]) => !OF_MONTHS.test(name!));
}

for (const { name, stores } of releases) {
  test(`a migrated directory of ${name} has the schema of a new one`, () => {
    const directory = unpackDirectory(name, join(place, name));
    const { connection, remove } = openTestConnection();
    const migrated = sqliteSchema(new SqliteConnection(join(directory, 'tollgate.db')));
    expect(migrated).toEqual(sqliteSchema(connection));
    remove();
  });

  if (!stores.includes('postgres')) continue;

  test(`a migrated database of ${name} has the schema of a new one`, async () => {
    const migrated = await postgresSchema(await loadDatabase(name, Date.now()));
    expect(migrated.length).toBeGreaterThan(1_000);
    expect(migrated).toEqual(await postgresSchema(await (await postgresForTest()).create()));
  });
}
