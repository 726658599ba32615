import { parseArgs } from 'node:util';
import { PostgresServer } from '../test/support/postgres/postgres-server.ts';
import { formatStoreReport } from './stores/format-store-report.ts';
import { formatWorkerReport } from './stores/format-worker-report.ts';
import { bothStores, runStores, type StoreSetup } from './stores/run-stores.ts';

// Compares a gateway on the embedded store with one on Postgres, or numbers of workers on Postgres:
// `node scripts/run.mjs bench/stores.ts [--rounds 5] [--seconds 3] [--workers 1,2]`.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    'warm-up-requests': { type: 'string', default: '20000' },
    connections: { type: 'string' },
    workers: { type: 'string' },
  },
});
const workers = values.workers?.split(',').map(Number);
const setups: readonly StoreSetup[] =
  workers?.map((count) => ({ store: `postgres-${count}`, workers: count })) ?? bothStores;
const connections = values.connections ?? (workers ? '32' : '1,32,128');
const server = await PostgresServer.create();
try {
  const all = await runStores({
    setups,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUpRequests: Number(values['warm-up-requests']),
    connections: connections.split(',').map(Number),
    database: { url: server.url, pid: server.pid! },
  });
  console.log(workers ? formatWorkerReport(all) : formatStoreReport(all));
} finally {
  await server.remove();
}
process.exit(0);
