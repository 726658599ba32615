import { join } from 'node:path';
import { messageOfError } from '../src/base/lib/message-of-error.ts';
import type { Measurement } from './benchmark-report.ts';
import { readProcessUsage } from './process-usage.ts';
import { type Load, runLoad } from './run-load.ts';
import type { Scenario } from './scenarios.ts';
import type { SystemUnderTest } from './system-under-test.ts';
import { modelId } from './workload.ts';
import type { Workplace } from './workplace.ts';

export type Entry = { scenario: Scenario; system: SystemUnderTest };
/** The workplace of a load, and its number of connections. */
export type Bench = Workplace & { connections: number };
export type Timing = { round: number; seconds: number };

const PREFLIGHT_TIMEOUT_MS = 10_000;

function buildHeaders({ scenario, system }: Entry): Record<string, string> {
  return { ...(scenario.body === null ? {} : { 'content-type': 'application/json' }), ...system.headers };
}

/** Returns the body with the model that the system knows. */
function buildBody({ scenario, system }: Entry): string | null {
  if (scenario.body === null || system.model === undefined) return scenario.body;
  return scenario.body.replace(`"model":"${modelId}"`, `"model":"${system.model}"`);
}

/** Sends one request before the load. Returns the reason why the system cannot run the scenario, or null. */
export async function findObstacle(entry: Entry): Promise<string | null> {
  const { scenario, system } = entry;
  try {
    const answer = await fetch(system.url + scenario.path, {
      method: scenario.method,
      headers: buildHeaders(entry),
      body: buildBody(entry),
      signal: AbortSignal.timeout(PREFLIGHT_TIMEOUT_MS),
    });
    const text = await answer.text();
    if (answer.status === 404) return 'not available (HTTP 404)';
    if (!answer.ok) return `HTTP ${answer.status} ${text.slice(0, 200)}`;
    return text.includes(scenario.expects) ? null : `the answer lacks ${scenario.expects}`;
  } catch (error) {
    return `the first request failed: ${messageOfError(error)}`;
  }
}

async function writeBody(entry: Entry, directory: string): Promise<string | null> {
  const body = buildBody(entry);
  if (body === null) return null;
  const bodyFile = join(directory, `${entry.scenario.name}.json`);
  await Bun.write(bodyFile, body);
  return bodyFile;
}

/** Loads a system and measures its CPU time and memory. */
export async function measure(bench: Bench, entry: Entry, { round, seconds }: Timing): Promise<Measurement> {
  const { scenario, system } = entry;
  const load: Load = {
    method: scenario.method,
    url: system.url + scenario.path,
    headers: buildHeaders(entry),
    bodyFile: await writeBody(entry, bench.directory),
    connections: bench.connections,
    seconds,
  };
  const before = system.pid === null ? null : readProcessUsage(system.pid);
  const result = await runLoad(bench.children, load, join(bench.directory, 'wrk.log'));
  const after = system.pid === null ? null : readProcessUsage(system.pid);
  const spentUs = before === null || after === null ? null : after.cpuUs - before.cpuUs;
  return {
    scenario: scenario.name,
    system: system.name,
    round,
    requests: result.requests,
    failures: result.failures,
    badStatuses: result.badStatuses,
    requestsPerSecond: (result.requests / result.durationUs) * 1_000_000,
    p50Us: result.p50Us,
    p99Us: result.p99Us,
    cpuUsPerRequest: spentUs === null || result.requests === 0 ? null : spentUs / result.requests,
    residentMb: after === null ? null : after.residentKb / 1024,
  };
}
