import { Database } from '../../../src/store/postgres/database.ts';
import { makeTemplate } from '../../../src/store/postgres/testing/postgres-for-test.ts';
import { PostgresServer } from './postgres-server.ts';

// Runs a server for all processes of a test run, until the standard input ends.
// The first line has the variables that name it.
const server = await PostgresServer.create({ fsync: false });
const template = 'tollgate_template';
const database = new Database({ url: server.url, maxConnections: 1 });
await makeTemplate(database, server.url, template);
await database.close();
console.log(
  JSON.stringify({ TOLLGATE_TEST_POSTGRES: server.url, TOLLGATE_TEST_POSTGRES_TEMPLATE: template }),
);
for await (const _ of Bun.stdin.stream());
await server.remove();
process.exit(0);
