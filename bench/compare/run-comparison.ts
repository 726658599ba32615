import { availableParallelism } from 'node:os';
import { inSandbox } from '../in-sandbox.ts';
import { readMachineFacts } from '../read-machine-facts.ts';
import { readVersion } from '../read-version.ts';
import { requestBodies, streamFrames } from '../workload.ts';
import { compareLoads } from './compare-loads.ts';
import type { CompareOptions, Plan } from './compare-options.ts';
import { compareStreams } from './compare-streams.ts';
import type { Comparison } from './comparison.ts';
import type { ComparisonRun } from './comparison-run.ts';
import { MachineLoad } from './machine-load.ts';
import { refuseLoadedMachine } from './run-rounds.ts';
import { findNginx } from './start-nginx-upstream.ts';

/** Measures Tollgate and its peers. */
export async function runComparison(
  options: CompareOptions,
  report: (line: string) => void,
): Promise<Comparison> {
  if (Bun.which('wrk') === null) throw new Error('wrk is missing: install the Debian package wrk');
  if (findNginx() === null) throw new Error('nginx is missing: install the Debian package nginx-light');
  const cores = splitCores(availableParallelism());
  return inSandbox('compare', ({ directory, processes }) => {
    const systems = processes(cores.system);
    const load = processes(cores.load);
    const machine = new MachineLoad();
    return compareAll(
      { options, directory, systems, load, machine, report, skipped: [], foreignShare: 0 },
      cores,
    );
  });
}

/** Splits the machine: the last core for the system that is measured, the others for load and upstream. */
function splitCores(count: number): { system: string; load: string } {
  if (count < 2) throw new Error('the comparison needs two cores: one for the systems, one for the load');
  return { system: String(count - 1), load: count === 2 ? '0' : `0-${count - 2}` };
}

async function compareAll(run: ComparisonRun, cores: { system: string; load: string }): Promise<Comparison> {
  const startedAt = new Date().toISOString();
  await refuseLoadedMachine(run);
  const { loads, memory } = await compareLoads(run);
  const streams = await compareStreams(run);
  const { isQuick, plan } = run.options;
  const machine = { ...readMachineFacts(), nginx: readVersion([findNginx()!, '-v']) };
  return {
    startedAt,
    isQuick,
    foreignShare: run.foreignShare,
    machine,
    cores,
    parameters: parametersOf(plan),
    loads,
    streams,
    memory,
    skipped: run.skipped,
  };
}

const parametersOf = (plan: Plan): Comparison['parameters'] => ({
  loadRounds: plan.loadRounds,
  streamRounds: plan.streamRounds,
  seconds: plan.seconds,
  requestBytes: { unary: requestBodies.unary.length, agent: requestBodies.agent.length },
  streamEvents: streamFrames.length,
  streamIntervalMs: plan.streamIntervalMs,
});
