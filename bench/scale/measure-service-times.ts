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
// `node scripts/run.mjs bench/scale/measure.ts [calls]`.

const connections = 128;

/** The CPU time of one node on Postgres under load. */
async function measureNode(server: PostgresServer): Promise<number> {
  const all = await runStores({
    setups: [{ store: 'postgres', workers: 1 }],
    rounds: 3,
    seconds: 2,
    warmUpRequests: 10_000,
    connections: [connections],
    database: { url: server.url, pid: server.pid! },
  });
  return summarize(all.map(({ nodeCpuUs }) => nodeCpuUs))!.median / 1_000;
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

const digits = 3;
const rounded = (times: ServiceTimes): ServiceTimes =>
  JSON.parse(JSON.stringify(times), (_, value) =>
    typeof value === 'number' ? Number(value.toFixed(digits)) : value,
  );

const load = loadavg()[0]!;
const result: MeasuredTimes = {
  measuredOn: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores of ${cpus()[0]?.model.trim()}, load ${load.toFixed(1)} before`,
  times: rounded(await measureTimes(Number(process.argv[2] ?? 300))),
};
saveTimes(result);
console.log(result);
process.exit(0);
