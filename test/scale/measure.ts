import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { measureStatements } from './measure-statements.ts';

// Prints the service times of Postgres on this machine: `node scripts/run.mjs test/scale/measure.ts [calls]`.
const calls = Number(process.argv[2] ?? 300);
const server = await PostgresServer.create();
try {
  const database = new Database({ url: server.url, most: 1, deadlineMs: 60_000 });
  await migrate(database, schema);
  console.log(await measureStatements(database, calls));
  await database.close();
} finally {
  await server.remove();
}
process.exit(0);
