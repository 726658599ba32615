import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../../src/store/postgres/database.ts';
import { postgresEntries } from '../../support/entries-sql.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { TcpProxy } from '../../support/postgres/tcp-proxy.ts';
import { startRecordingUpstream } from '../../support/recording-upstream.ts';
import { sampleConfig } from '../../support/sample-config.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';

const ADMIN_TOKEN = 'tga_the-same-on-all-nodes-of-this-test-0123456789';
const OBSERVER_DEADLINE_MS = 20_000;

export type GatewayNode = {
  server: TestServer;
  /** Between the node and Postgres. */
  proxy: TcpProxy;
};

type NodeStart = Pick<TestServerOptions, 'preload' | 'environment'> & {
  /** The settings of this node alone. */
  settings?: Record<string, unknown>;
  /** The address of the database, if the proxy is not to be used. */
  url?: string;
};

/**
 * A Postgres server with fsync, an upstream, and nodes by name. A node of the same name has the same data
 * directory and proxy. With a `url`, no node uses its proxy.
 */
export async function openGatewayNodes(
  settingsOf: (sample: ReturnType<typeof sampleConfig>) => Record<string, unknown> = () => ({}),
  given: { server?: PostgresServer; url?: string } = {},
) {
  const postgres = given.server ?? (await PostgresServer.create());
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-nodes-'));
  const upstream = startRecordingUpstream();
  const sample = sampleConfig(upstream.url);
  const config = { ...sample, plans: wideLimits, ...settingsOf(sample) };
  const database = new Database({
    url: given.url ?? postgres.url,
    maxConnections: 2,
    deadlineMs: OBSERVER_DEADLINE_MS,
  });
  const servers = new Set<TestServer>();
  const proxies = new Map<string, TcpProxy>();

  function proxyOf(name: string): TcpProxy {
    const proxy = proxies.get(name) ?? new TcpProxy({ host: '127.0.0.1', port: postgres.port });
    proxies.set(name, proxy);
    return proxy;
  }

  async function start(name: string, { settings: own, environment, url, ...rest }: NodeStart = {}) {
    const proxy = proxyOf(name);
    const server = await startServer({
      config: { ...config, ...own },
      dataDirectory: join(directory, name),
      environment: {
        DATABASE_URL: url ?? given.url ?? proxy.urlOf(postgres.url),
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        ...environment,
      },
      ...rest,
    });
    servers.add(server);
    return { server, proxy } as GatewayNode;
  }

  const count = async (sql: string, values: string[] = []): Promise<number> =>
    Number((await database.first(sql, values))?.count);
  return {
    postgres,
    upstream,
    database,
    directory,
    proxyOf,
    start,
    /** Counts the open holds of all accounts, or of one. */
    holds: (account = '%') => count('SELECT count(*) FROM open_hold WHERE account_id LIKE $1', [account]),
    /** Counts the holds of answers that have begun, as the database has them. */
    produced: () => count('SELECT count(*) FROM open_hold WHERE produced'),
    /** Returns every request that is billed by more than one usage entry. */
    billedTwice: () =>
      database.all(
        `SELECT request_id FROM ${postgresEntries} e WHERE kind = 'usage' GROUP BY 1 HAVING count(*) > 1`,
      ),
    async kill({ server }: GatewayNode): Promise<void> {
      server.signal('SIGKILL');
      await server.exited;
      await server.stop();
      servers.delete(server);
    },
    async close(): Promise<void> {
      for (const proxy of proxies.values()) proxy.heal();
      await Promise.all([...servers].map((server) => server.stop()));
      await database.close();
      for (const proxy of proxies.values()) proxy.stop();
      upstream.stop();
      await postgres.remove();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type GatewayNodes = Awaited<ReturnType<typeof openGatewayNodes>>;
