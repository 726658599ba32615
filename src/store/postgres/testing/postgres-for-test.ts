import { PostgresServer } from '../../../../test/support/postgres/postgres-server.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { schema } from '../schema.ts';

/** A loaded machine may copy a database slowly. */
const DEADLINE_MS = 60_000;

/** A Postgres server for tests, with a database in which the migrations are applied. */
export type TestPostgres = {
  /** Creates a database with the schema and returns its address. */
  create(): Promise<string>;
  drop(url: string): Promise<void>;
};

let started: Promise<TestPostgres> | undefined;

/**
 * Returns the server of this process, which ends with it.
 * `TOLLGATE_TEST_POSTGRES` has the address of a server that exists already, and
 * `TOLLGATE_TEST_POSTGRES_TEMPLATE` the database there that `makeTemplate` has made.
 */
export function postgresForTest(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

/** Creates a database in which the migrations are applied. */
export async function makeTemplate(server: Database, url: string, name: string): Promise<void> {
  await server.script(`CREATE DATABASE ${name}`);
  const database = new Database({ url: withName(url, name), maxConnections: 1, deadlineMs: DEADLINE_MS });
  await migrate(database, schema);
  await database.close();
}

async function start(): Promise<TestPostgres> {
  const url = process.env.TOLLGATE_TEST_POSTGRES ?? (await PostgresServer.create({ fsync: false })).url;
  // Processes that share a server may have had the same id.
  const own = `${process.pid}_${Date.now()}`;
  const server = new Database({ url, maxConnections: 2, deadlineMs: DEADLINE_MS });
  const shared = process.env.TOLLGATE_TEST_POSTGRES_TEMPLATE;
  const template = shared ?? `template_${own}`;
  if (!shared) await makeTemplate(server, url, template);
  let count = 0;
  return {
    async create() {
      const name = `test_${own}_${++count}`;
      // A copy of the files costs a third of a copy through the log.
      await server.script(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return withName(url, name);
    },
    drop: (address) => server.script(`DROP DATABASE ${new URL(address).pathname.slice(1)} WITH (FORCE)`),
  };
}

const withName = (url: string, name: string): string => Object.assign(new URL(url), { pathname: name }).href;
