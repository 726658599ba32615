import { Database } from '../../../src/store/postgres/database.ts';
import { databaseOf } from './database-of.ts';

/**
 * Ends all connections to the database of a data directory. New ones are refused until the returned function
 * is called.
 */
export async function takeDatabaseAway(dataDirectory: string): Promise<() => Promise<void>> {
  const url = new URL((await databaseOf(dataDirectory))!);
  const name = url.pathname.slice(1);
  const other = new Database({ url: Object.assign(url, { pathname: '/postgres' }).href, maxConnections: 1 });
  await other.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await other.all('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  return async () => {
    await other.run(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await other.close();
  };
}
