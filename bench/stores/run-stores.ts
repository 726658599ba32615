import { Database } from '../../src/store/postgres/database.ts';
import { DatabaseMeter } from '../../test/support/postgres/database-meter.ts';
import { inSandbox } from '../in-sandbox.ts';
import type { PeerInputs } from '../peers/peer.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import { startUpstream } from '../start-upstream.ts';
import type { Workplace } from '../workplace.ts';
import { measureStore, type RunningStore } from './measure-store.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

/** A gateway to start. Each worker gets as many connections of the load. */
export type StoreSetup = { store: StoreName; workers: number };

type StoresOptions = {
  setups: readonly StoreSetup[];
  rounds: number;
  seconds: number;
  /** The requests that each gateway answers before the first round. */
  warmUpRequests: number;
  connections: readonly number[];
  database: { url: string; pid: number };
};

type Started = RunningStore & StoreSetup;

const streamIntervalMs = 1;

/** The gateway on the embedded store and the one on Postgres. */
export const bothStores: readonly StoreSetup[] = [
  { store: 'embedded', workers: 1 },
  { store: 'postgres', workers: 1 },
];

/** Loads gateways in turn, with the same upstream. Each one on Postgres has a database of its own. */
export const runStores = (options: StoresOptions): Promise<StoreMeasurement[]> =>
  inSandbox('stores', async ({ directory, processes }) => {
    const workplace = { children: processes(), directory };
    const meters: DatabaseMeter[] = [];
    try {
      const upstreamPort = await startUpstream({ ...workplace, streamIntervalMs });
      const stores: Started[] = [];
      for (const setup of options.setups) {
        const started = await startStore(
          { ...workplace, upstreamPort, programs: {} },
          setup,
          options.database,
        );
        if (started.meter) meters.push(started.meter);
        stores.push(started);
      }
      return await measureRounds(workplace, stores, options);
    } finally {
      for (const meter of meters) await meter.close();
    }
  });

async function startStore(
  inputs: PeerInputs,
  { store, workers }: StoreSetup,
  database: StoresOptions['database'],
): Promise<Started> {
  const databaseUrl = store === 'embedded' ? '' : await createDatabase(database.url, store);
  const system = await startTollgate(inputs, {
    buildCommand: buildGatewayCommand,
    hasWholeCatalog: false,
    databaseUrl,
    workers,
    folder: store,
  });
  const meter = databaseUrl === '' ? null : new DatabaseMeter(databaseUrl, database.pid);
  return { store, workers, system, meter };
}

async function createDatabase(url: string, store: StoreName): Promise<string> {
  const name = `bench_${store.replaceAll('-', '_')}`;
  const database = new Database({ url, maxConnections: 1 });
  await database.run(`DROP DATABASE IF EXISTS ${name}`);
  await database.run(`CREATE DATABASE ${name}`);
  await database.close();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function measureRounds(
  workplace: Workplace,
  stores: readonly Started[],
  { rounds, seconds, connections, warmUpRequests }: StoresOptions,
): Promise<StoreMeasurement[]> {
  const measurements: StoreMeasurement[] = [];
  for (const store of stores) await warmUp(workplace, store, warmUpRequests);
  // The order changes with each round, so that a trend of the machine cancels out.
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? stores : stores.toReversed();
    for (const count of connections)
      for (const store of order) {
        const turn = { round, connections: count * store.workers, seconds };
        measurements.push(await measureStore(workplace, store, turn));
      }
  }
  return measurements;
}

/**
 * The runtime compiles during thousands of requests. The slower gateway would otherwise be measured at an
 * earlier stage.
 */
async function warmUp(workplace: Workplace, store: Started, atLeast: number): Promise<void> {
  let served = 0;
  while (served < atLeast * store.workers) {
    const { requests } = await measureStore(workplace, store, { round: 0, connections: 64, seconds: 2 });
    served += requests;
  }
}
