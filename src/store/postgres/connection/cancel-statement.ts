import type { ConnectionTarget, PostgresHost } from './connection-target.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { StartingConnection } from './starting-connection.ts';

/**
 * Asks the server to stop the statement that the connection runs, on a connection of its own.
 * The server does not answer such a request.
 */
export async function cancelStatement(
  target: ConnectionTarget,
  { host, connection, timeoutMs }: { host: PostgresHost; connection: PostgresConnection; timeoutMs: number },
): Promise<void> {
  const starting = new StartingConnection(host, { ...target, hosts: [host] });
  const timer = setTimeout(() => starting.fail(new Error('the server did not answer')), timeoutMs);
  // The caller has given the statement up, whether it ends or not.
  await starting.cancel(connection).catch(() => {});
  clearTimeout(timer);
  starting.fail(new Error('done'));
}
