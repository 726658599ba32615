import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseMeter } from '../../test/support/postgres/database-meter.ts';
import { ChildProcesses } from '../child-processes.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import { readProcessUsage } from '../process-usage.ts';
import { type Load, runLoad } from '../run-load.ts';
import { startUpstream } from '../start-upstream.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { requestBodies } from '../workload.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

export type StoresOptions = {
  rounds: number;
  seconds: number;
  /** Each gateway answers as many before the first round. */
  warmUpRequests: number;
  connections: readonly number[];
  database: { url: string; pid: number };
};

type Systems = Record<StoreName, SystemUnderTest>;
type Bench = { children: ChildProcesses; directory: string; systems: Systems; meter: DatabaseMeter };
type Turn = { store: StoreName; round: number; connections: number; seconds: number };

const streamIntervalMs = 1;

/** Loads the gateway on the embedded store and the gateway on Postgres in turn, with the same upstream. */
export async function runStores(options: StoresOptions): Promise<StoreMeasurement[]> {
  const children = new ChildProcesses();
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-stores-'));
  const { url, pid } = options.database;
  const meter = new DatabaseMeter(url, pid);
  try {
    const upstreamPort = await startUpstream({ children, directory, streamIntervalMs });
    const start = (databaseUrl: string) =>
      startTollgate(
        { children, directory, upstreamPort, programs: {} },
        { buildCommand: buildGatewayCommand, wholeCatalog: false, databaseUrl },
      );
    const systems = { embedded: await start(''), postgres: await start(url) };
    return await measureRounds({ children, directory, systems, meter }, options);
  } finally {
    await children.stopAll();
    await meter.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRounds(bench: Bench, options: StoresOptions): Promise<StoreMeasurement[]> {
  const all: StoreMeasurement[] = [];
  for (const store of ['embedded', 'postgres'] as const) await warmUp(bench, store, options.warmUpRequests);
  // The order changes with each round, so that a trend of the machine cancels out.
  for (let round = 1; round <= options.rounds; round += 1) {
    const stores: StoreName[] = round % 2 === 0 ? ['embedded', 'postgres'] : ['postgres', 'embedded'];
    for (const connections of options.connections)
      for (const store of stores) {
        const measurement = await measureTurn(bench, { store, round, connections, seconds: options.seconds });
        all.push(measurement);
      }
  }
  return all;
}

/** The runtime compiles during thousands of requests. The slower gateway would otherwise be measured at an earlier stage. */
async function warmUp(bench: Bench, store: StoreName, atLeast: number): Promise<void> {
  let served = 0;
  while (served < atLeast) {
    const { requests } = await measureTurn(bench, { store, round: 0, connections: 64, seconds: 2 });
    served += requests;
  }
}

async function measureTurn(bench: Bench, turn: Turn): Promise<StoreMeasurement> {
  const { children, directory, systems, meter } = bench;
  const { store, round, connections, seconds } = turn;
  const { url, headers, pid } = systems[store];
  const bodyFile = join(directory, 'unary.json');
  await Bun.write(bodyFile, requestBodies.unary);
  const load: Load = {
    method: 'POST',
    url: `${url}/v1/chat/completions`,
    bodyFile,
    connections,
    seconds,
    headers: { ...headers, 'content-type': 'application/json' },
  };
  const readNode = () => readProcessUsage(pid!).cpuUs;
  const isOnPostgres = store === 'postgres';
  const before = { database: isOnPostgres ? await meter.read() : null, node: readNode() };
  const { requests, failures, badStatuses, p50Us, p99Us } = await runLoad(
    children,
    load,
    join(directory, 'wrk.log'),
  );
  const nodeCpuUs = (readNode() - before.node) / requests;
  const after = isOnPostgres ? await meter.read() : null;
  const spent = (field: 'cpuUs' | 'logBytes' | 'commits') =>
    before.database && after ? after[field] - before.database[field] : 0;
  return {
    store,
    round,
    connections,
    requests,
    p50Us,
    p99Us,
    nodeCpuUs,
    failures: failures + badStatuses,
    databaseCpuUs: spent('cpuUs') / requests,
    logBytes: spent('logBytes') / requests,
    requestsPerCommit: spent('commits') === 0 ? 0 : requests / spent('commits'),
  };
}
