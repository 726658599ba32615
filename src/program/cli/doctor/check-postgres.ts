import type { Config } from '../../../settings/config/config-schema.ts';
import { placeOf } from '../../../store/postgres/connection/connection-target.ts';
import { parseConnectionUrl } from '../../../store/postgres/connection/parse-connection-url.ts';
import { migrations } from '../../../store/postgres/migrations.ts';
import { checkNotices } from './check-notices.ts';
import { checkPostgresSpace } from './check-postgres-space.ts';
import { databaseTlsFindings } from './database-tls-findings.ts';
import { failureOfPostgres } from './failure-of-postgres.ts';
import type { Finding } from './finding.ts';
import { readPostgresFacts } from './postgres-facts.ts';
import { postgresFindings } from './postgres-findings.ts';
import { withConnection } from './with-connection.ts';

/** A process has one connection for notices and one for the health probe. */
const CONNECTIONS_OUTSIDE_POOL = 2;

/**
 * Signs in to the database of the configuration and examines it. All that is written is rolled back, and no
 * finding has the password.
 */
export async function checkPostgres(config: Config, databaseUrl: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    findings.push(...databaseTlsFindings(databaseUrl));
    findings.push(...(await examine(config, databaseUrl)));
  } catch (error) {
    findings.push(failureOfPostgres(error));
  }
  return findings;
}

function examine({ store, server }: Config, databaseUrl: string): Promise<Finding[]> {
  const target = parseConnectionUrl(databaseUrl);
  return withConnection(databaseUrl, async (connection) => {
    const facts = await readPostgresFacts(connection);
    const use = {
      place: target.hosts.map(placeOf).join(', '),
      workers: server.workers,
      connectionsOfProcess: store.connections + CONNECTIONS_OUTSIDE_POOL,
      hasListenUrl: store.listen_url !== null,
      newestMigration: Math.max(...migrations.map(({ number }) => number)),
    };
    const notices = await checkNotices(store.listen_url ?? databaseUrl, connection);
    const space = facts.mayCreate ? [await checkPostgresSpace(connection)] : [];
    return [...postgresFindings(facts, use), notices, ...space];
  });
}
