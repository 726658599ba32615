import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres/postgres-server.ts';
import { formatStoreReport } from './stores/format-store-report.ts';
import { runStores } from './stores/run-stores.ts';

// Compares a gateway on the embedded store with a gateway on Postgres: `node scripts/run.mjs bench/stores.ts [--rounds 5] [--seconds 3]`.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    'warm-up-requests': { type: 'string', default: '20000' },
    connections: { type: 'string', default: '1,32,128' },
  },
});
const server = await PostgresServer.create();
try {
  const all = await runStores({
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpRequests: Number(values['warm-up-requests']),
    connections: values.connections.split(',').map(Number),
    database: { url: server.url, pid: server.pid! },
  });
  console.log(formatStoreReport(all));
} finally {
  await server.remove();
}
process.exit(0);
