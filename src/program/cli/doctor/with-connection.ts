import { openConnection } from '../../../store/postgres/connection/open-connection.ts';
import { parseConnectionUrl } from '../../../store/postgres/connection/parse-connection-url.ts';
import type { PostgresConnection } from '../../../store/postgres/connection/postgres-connection.ts';
import { StoreProblem } from '../../../store/store-problem.ts';

const TIMEOUT_MS = 3_000;

/** Works on a connection of its own, for a bounded time. */
export async function withConnection<T>(
  url: string,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(parseConnectionUrl(url), { timeoutMs: TIMEOUT_MS });
  const late = new StoreProblem('Postgres did not answer', 'check the database server and the network to it');
  const timer = setTimeout(() => connection.destroy(late), 2 * TIMEOUT_MS);
  try {
    return await work(connection);
  } finally {
    clearTimeout(timer);
    connection.end();
  }
}
