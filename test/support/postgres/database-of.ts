import { postgresForTest } from '../../../src/store/postgres/testing/postgres-for-test.ts';

/** True if this run tests servers on Postgres. */
export const isOnPostgres = process.env.TOLLGATE_TEST_STORE === 'postgres';

const addresses = new Map<string, Promise<string>>();

/** Returns the database of the servers with this data directory. Undefined if they use the embedded store. */
export function databaseOf(dataDirectory: string): Promise<string> | undefined {
  if (!isOnPostgres) return undefined;
  const known = addresses.get(dataDirectory);
  if (known) return known;
  const created = postgresForTest().then((server) => server.create());
  addresses.set(dataDirectory, created);
  return created;
}

/** Drops the database of a data directory that is removed. */
export async function dropDatabaseOf(dataDirectory: string): Promise<void> {
  const address = addresses.get(dataDirectory);
  if (!address) return;
  addresses.delete(dataDirectory);
  await (await postgresForTest()).drop(await address);
}
