import type { Database } from '../database.ts';

/**
 * Prepares a new database for resets, and returns a function that gives it the rows again that it has now.
 */
export async function prepareReset(database: Database): Promise<() => Promise<void>> {
  const tables = await names(database, `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  const sequences = await names(database, `SELECT sequencename AS name FROM pg_sequences`);
  await database.run('CREATE SCHEMA pristine');
  const filled: string[] = [];
  for (const table of tables)
    if (await database.first(`SELECT FROM "${table}" LIMIT 1`)) {
      await database.run(`CREATE TABLE pristine."${table}" AS TABLE "${table}"`);
      filled.push(table);
    }
  const reset = [
    'BEGIN',
    // Neither triggers nor foreign keys concern a table that is emptied with all others.
    'SET LOCAL session_replication_role = replica',
    ...tables.map((table) => `DELETE FROM "${table}"`),
    ...filled.map((table) => `INSERT INTO "${table}" SELECT * FROM pristine."${table}"`),
    ...sequences.map((sequence) => `SELECT setval('"${sequence}"', 1, false)`),
    'COMMIT',
  ].join(';\n');
  return () => database.script(reset);
}

const names = async (database: Database, sql: string): Promise<string[]> =>
  (await database.all(sql)).map(({ name }) => String(name));
