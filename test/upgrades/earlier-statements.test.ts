import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { loadDatabase, statementsOf } from './support/kept-release.ts';
import { releases } from './support/releases.ts';

// During a rolling upgrade, nodes of the previous release send their statements
// to the schema of this version.

const previous = releases.findLast(({ stores }) => stores.includes('postgres'))!.name;
let database: Database;
let released: number;

const newestMigration = async (): Promise<number> =>
  Number((await database.first('SELECT max(number) AS newest FROM migration'))!.newest);

beforeAll(async () => {
  database = new Database({
    url: await loadDatabase(previous, Date.now()),
    maxConnections: 1,
    deadlineMs: 60_000,
  });
  await database.script('SET search_path = public');
  released = await newestMigration();
  await migrate(database, schema);
});
afterAll(() => database.close());

test(`Postgres accepts every statement of ${previous} after the migrations of this version`, async () => {
  const statements = statementsOf(previous);
  expect(statements.length).toBeGreaterThan(300);
  const refused: string[] = [];
  for (const text of statements)
    await database
      .script(`PREPARE sent AS ${text}; DEALLOCATE sent`)
      .catch((error: Error) => refused.push(`${error.message}: ${text}`));
  expect(refused).toEqual([]);
});

test(`a node of ${previous} starts on the database of this version, so a rollback needs no dump`, async () => {
  expect(await newestMigration()).toBeGreaterThan(released);
  const row = await database.first('SELECT max(needs) AS needed FROM migration');
  expect(Number(row!.needed)).toBeLessThanOrEqual(released);
});
