import { randomUUID } from 'node:crypto';
import type { Config } from '../../../settings/config/config-schema.ts';
import { parseConnectionUrl, placeOf } from '../../../store/postgres/connection/connection-url.ts';
import { openConnection } from '../../../store/postgres/connection/open-connection.ts';
import type { PostgresConnection } from '../../../store/postgres/connection/postgres-connection.ts';
import { migrations } from '../../../store/postgres/migrations.ts';
import { postgresProblem } from '../../../store/postgres/postgres-problem.ts';
import { StoreProblem } from '../../../store/store-problem.ts';
import { checkPostgresSpace } from './check-postgres-space.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { judgeDatabaseTls } from './judge-database-tls.ts';
import { judgePostgres } from './judge-postgres.ts';
import { readPostgresFacts } from './postgres-facts.ts';

const CHECK = 'store';
const TIMEOUT_MS = 3_000;
/** A process has one connection for notices and one for the health probe. */
const BESIDE_POOL = 2;

/**
 * Signs in to the database of the configuration and examines it.
 * All that is written is rolled back, and no finding has the password.
 */
export async function checkPostgres(config: Config): Promise<Finding[]> {
  try {
    return [...judgeDatabaseTls(config.store.database_url!), ...(await examine(config))];
  } catch (error) {
    return [failure(error)];
  }
}

async function examine({ store, server }: Config): Promise<Finding[]> {
  try {
    const url = store.database_url!;
    const target = parseConnectionUrl(url);
    return await withConnection(url, async (connection) => {
      const facts = await readPostgresFacts(connection);
      const use = {
        place: target.hosts.map(placeOf).join(', '),
        workers: server.workers,
        connectionsOfProcess: store.connections + BESIDE_POOL,
        hasListenUrl: store.listen_url !== null,
        newestMigration: Math.max(...migrations.map(({ number }) => number)),
      };
      const notices = await checkNotices(store.listen_url ?? url, connection);
      const space = facts.mayCreate ? [await checkPostgresSpace(connection)] : [];
      return [...judgePostgres(facts, use), notices, ...space];
    });
  } catch (error) {
    return [failure(error)];
  }
}

async function withConnection<T>(
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

/** Sends a notice as another node would. */
async function checkNotices(url: string, sender: PostgresConnection): Promise<Finding> {
  const channel = `doctor_${randomUUID().replaceAll('-', '')}`;
  try {
    const arrived = await withConnection(url, async (listener) => {
      const notice = Promise.withResolvers<boolean>();
      listener.onNotification = () => notice.resolve(true);
      await listener.simple(`LISTEN ${channel}`);
      await sender.simple(`NOTIFY ${channel}`);
      const timer = setTimeout(() => notice.resolve(false), TIMEOUT_MS);
      return notice.promise.finally(() => clearTimeout(timer));
    });
    if (arrived) return ok(CHECK, 'notices arrive');
    const message = 'notices do not arrive, so nodes poll for changes every second';
    return warn(CHECK, message, 'set store.listen_url to the address of the server itself');
  } catch (error) {
    const { message, mend } = failure(error);
    return warn(CHECK, `notices do not arrive: ${message}`, mend ?? 'correct store.listen_url');
  }
}

function failure(error: unknown): Finding {
  const problem = postgresProblem(error);
  if (problem instanceof StoreProblem) return fail(CHECK, problem.message, problem.hint);
  return fail(
    CHECK,
    `Postgres cannot be examined: ${(problem as Error).message}`,
    'check the database server',
  );
}
