import { cpus, loadavg } from 'node:os';
import { Database } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { schema } from '../../src/store/postgres/schema.ts';
import { PostgresServer } from '../../test/support/postgres/postgres-server.ts';
import { runStores } from '../stores/run-stores.ts';
import { summarize } from '../summarize.ts';
import { measureStatements } from './measure-statements.ts';
import { type MeasuredTimes, type ServiceTimes, saveTimes } from './service-times.ts';

// Measures the service times of the model on this machine:
// `node scripts/run.mjs bench/scale/measure-service-times.ts [CALLS]`.

const CONNECTIONS = 128;
const DIGITS = 3;

/** Measures the CPU time of one node on Postgres under load. */
async function measureNode(server: PostgresServer): Promise<number> {
  const measurements = await runStores({
    setups: [{ store: 'postgres', workers: 1 }],
    rounds: 3,
    seconds: 2,
    warmUpRequests: 10_000,
    connections: [CONNECTIONS],
    database: { url: server.url, pid: server.pid! },
  });
  return summarize(measurements.map(({ nodeCpuUs }) => nodeCpuUs))!.median / 1_000;
}

async function measureTimes(calls: number): Promise<ServiceTimes> {
  const server = await PostgresServer.create();
  try {
    const database = new Database({ url: server.url, maxConnections: 1, deadlineMs: 60_000 });
    await migrate(database, schema);
    const times = await measureStatements(database, calls);
    await database.close();
    return { ...times, nodeMs: await measureNode(server) };
  } finally {
    await server.remove();
  }
}

/** Returns the times without digits that differ between runs. */
const roundTimes = (times: ServiceTimes): ServiceTimes =>
  JSON.parse(JSON.stringify(times), (_, value) =>
    typeof value === 'number' ? Number(value.toFixed(DIGITS)) : value,
  );

const load = loadavg()[0]!;
const result: MeasuredTimes = {
  measuredOn: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores of ${cpus()[0]?.model.trim()}, load ${load.toFixed(1)} before`,
  times: roundTimes(await measureTimes(Number(process.argv[2] ?? 300))),
};
saveTimes(result);
console.log(result);
process.exit(0);
