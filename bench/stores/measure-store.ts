import { join } from 'node:path';
import type { DatabaseMeter } from '../../test/support/postgres/database-meter.ts';
import { readProcessUsage } from '../process-usage.ts';
import { type Load, runLoad } from '../run-load.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { requestBodies } from '../workload.ts';
import type { Workplace } from '../workplace.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

/** A running gateway. Its meter is null on the embedded store. */
export type RunningStore = { store: StoreName; system: SystemUnderTest; meter: DatabaseMeter | null };
export type Turn = { round: number; connections: number; seconds: number };

/** Loads a gateway, and measures its CPU time and that of its database. */
export async function measureStore(
  { children, directory }: Workplace,
  { store, system, meter }: RunningStore,
  { round, connections, seconds }: Turn,
): Promise<StoreMeasurement> {
  const bodyFile = join(directory, 'unary.json');
  await Bun.write(bodyFile, requestBodies.unary);
  const load: Load = {
    method: 'POST',
    url: `${system.url}/v1/chat/completions`,
    bodyFile,
    connections,
    seconds,
    headers: { ...system.headers, 'content-type': 'application/json' },
  };
  const readNode = () => readProcessUsage(system.pid!).cpuUs;
  const before = { database: (await meter?.read()) ?? null, node: readNode() };
  const result = await runLoad(children, load, join(directory, 'wrk.log'));
  const { requests, failures, badStatuses, p50Us, p99Us } = result;
  const nodeCpuUs = (readNode() - before.node) / requests;
  const after = (await meter?.read()) ?? null;
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
