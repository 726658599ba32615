import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Skipped, SystemName } from '../benchmark-report.ts';
import { ChildProcesses } from '../child-processes.ts';
import { type Bench, findObstacle, measure } from '../measure.ts';
import { allPeers } from '../peers/all-peers.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import { readProcessUsage } from '../process-usage.ts';
import { readMachineFacts, readVersion } from '../read-machine-facts.ts';
import { scenarios } from '../scenarios.ts';
import { directSystem } from '../start-systems.ts';
import { startUpstream } from '../start-upstream.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import { requestBodies, streamFrames } from '../workload.ts';
import type { CompareOptions, Plan } from './compare-options.ts';
import type { Comparison, LoadFigures, MemoryFigures, StreamFigures } from './comparison.ts';
import { MachineLoad } from './machine-load.ts';
import { measureStreams } from './measure-streams.ts';
import { findNginx, startNginxUpstream } from './nginx-upstream.ts';

/** A round is repeated if other processes use a larger share of the machine. */
const MAX_FOREIGN = 0.04;
const IDLE_CHECK_MS = 3_000;

type Run = {
  options: CompareOptions;
  directory: string;
  /** Tollgate and its peers on one core; load and upstream on the others. */
  systems: ChildProcesses;
  load: ChildProcesses;
  machine: MachineLoad;
  report: (line: string) => void;
  skipped: Skipped[];
  foreignShare: number;
};

/** Splits the machine: the last core for the system that is measured, the others for load and upstream. */
export function splitCores(count: number): { system: string; load: string } {
  if (count < 2) throw new Error('the comparison needs two cores: one for the systems, one for the load');
  return { system: String(count - 1), load: count === 2 ? '0' : `0-${count - 2}` };
}

const benchOf = ({ load, directory }: Run, connections: number): Bench => ({
  children: load,
  directory,
  connections,
});

async function startAll(run: Run, upstreamPort: number): Promise<SystemUnderTest[]> {
  const { systems, directory, options, report, skipped } = run;
  const around: Surroundings = {
    children: systems,
    directory,
    upstreamPort,
    programs: options.programs,
  };
  const started: SystemUnderTest[] = [directSystem(around)];
  const start = async (name: SystemName, begin: () => Promise<SystemUnderTest>) => {
    report(`starting ${name}`);
    try {
      started.push(await begin());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!skipped.some((one) => one.system === name)) skipped.push({ system: name, scenario: null, reason });
    }
  };
  await start('tollgate', () =>
    startTollgate(around, { buildCommand: buildGatewayCommand, wholeCatalog: false }),
  );
  for (const peer of allPeers.filter(({ name }) => options.peers.includes(name)))
    await start(peer.name, () => peer.start(around));
  return started;
}

/** Keeps the systems that answer the scenarios. */
async function selectAble(
  run: Run,
  systems: readonly SystemUnderTest[],
  names: readonly ('unary' | 'agent' | 'stream')[],
): Promise<SystemUnderTest[]> {
  const able: SystemUnderTest[] = [];
  for (const system of systems) {
    const obstacles = await Promise.all(
      names.map((name) => findObstacle({ scenario: scenarios[name], system })),
    );
    const at = obstacles.findIndex((reason) => reason !== null);
    if (at < 0) able.push(system);
    else run.skipped.push({ system: system.name, scenario: names[at]!, reason: obstacles[at]! });
  }
  return able;
}

async function warmUp(
  run: Run,
  systems: readonly SystemUnderTest[],
  scenario: 'unary' | 'stream',
): Promise<void> {
  for (const system of systems) {
    run.report(`warming up ${scenario} ${system.name}`);
    const seconds = system.name === 'direct' ? 1 : run.options.plan.warmUpSeconds;
    await measure(benchOf(run, 32), { scenario: scenarios[scenario], system }, { round: 0, seconds });
  }
}

/**
 * Runs rounds, and drops those in which other processes used the machine. Each repeats once at most, on
 * average. The order of the systems changes with each round.
 */
async function runRounds<Figures>(
  run: Run,
  count: number,
  runRound: (round: number) => Promise<Figures[]>,
): Promise<Figures[]> {
  const all: Figures[] = [];
  let spoiled = 0;
  for (let round = 1; round <= count; ) {
    run.machine.foreignShare();
    const figures = await runRound(round);
    const share = run.machine.foreignShare();
    if (share > MAX_FOREIGN && !run.options.isLoadedAnyway) {
      spoiled += 1;
      run.report(`other processes used ${formatShare(share)} of the machine: the round is repeated`);
      if (spoiled > count) throw new Error('other processes keep using the machine');
      continue;
    }
    run.foreignShare = Math.max(run.foreignShare, share);
    all.push(...figures);
    round += 1;
  }
  return all;
}

const formatShare = (share: number): string => `${(share * 100).toFixed(1)} %`;

const rotate = <Item>(items: readonly Item[], by: number): Item[] => [
  ...items.slice(by % items.length),
  ...items.slice(0, by % items.length),
];

async function runLoadRound(
  run: Run,
  systems: readonly SystemUnderTest[],
  round: number,
): Promise<LoadFigures[]> {
  const { cells, seconds } = run.options.plan;
  const figures: LoadFigures[] = [];
  for (const { scenario, connections } of cells)
    for (const system of rotate(systems, round)) {
      run.report(`round ${round}: ${scenario} over ${connections} connections, ${system.name}`);
      const entry = { scenario: scenarios[scenario], system };
      figures.push({
        ...(await measure(benchOf(run, connections), entry, { round, seconds })),
        connections,
      });
    }
  return figures;
}

async function runStreamRound(
  run: Run,
  systems: readonly SystemUnderTest[],
  round: number,
): Promise<StreamFigures[]> {
  const { streams, streamIntervalMs } = run.options.plan;
  const figures: StreamFigures[] = [];
  for (const count of streams)
    for (const system of rotate(systems, round)) {
      run.report(`round ${round}: ${count} streams, ${system.name}`);
      const order = { round, streams: count, intervalMs: streamIntervalMs };
      figures.push(await measureStreams(benchOf(run, count), system, order));
    }
  return figures;
}

const residentMb = ({ pid }: SystemUnderTest): number =>
  pid === null ? 0 : readProcessUsage(pid).residentKb / 1024;

/** Runs ordinary and long requests, with nginx as the upstream. */
async function runLoads(run: Run): Promise<{ loads: LoadFigures[]; memory: MemoryFigures[] }> {
  const { plan } = run.options;
  const upstreamPort = await startNginxUpstream(run.load, run.directory);
  const started = await startAll(run, upstreamPort);
  await Bun.sleep(plan.restSeconds * 1_000);
  const idle = new Map(started.map((system) => [system.name, residentMb(system)]));
  const systems = await selectAble(run, started, ['unary', 'agent']);
  await warmUp(run, systems, 'unary');
  const loads = await runRounds(run, plan.loadRounds, (round) => runLoadRound(run, systems, round));
  await Bun.sleep(plan.restSeconds * 1_000);
  const memory = systems
    .filter(({ pid }) => pid !== null)
    .map((system) => ({
      system: system.name,
      idleMb: idle.get(system.name)!,
      loadMb: Math.max(
        ...loads.filter((one) => one.system === system.name).map((one) => one.residentMb ?? 0),
      ),
      afterMb: residentMb(system),
    }));
  await run.systems.stopAll();
  return { loads, memory };
}

/** Runs paced streams. Their upstream is a process of the benchmark, because nginx cannot pace an answer. */
async function runStreams(run: Run): Promise<StreamFigures[]> {
  const { plan } = run.options;
  const { streamIntervalMs, streamRounds } = plan;
  const { directory, load } = run;
  const upstreamPort = await startUpstream({ children: load, directory, streamIntervalMs });
  const systems = await selectAble(run, await startAll(run, upstreamPort), ['stream']);
  await warmUp(run, systems, 'stream');
  return runRounds(run, streamRounds, (round) => runStreamRound(run, systems, round));
}

async function refuseLoadedMachine({ options, machine }: Run): Promise<void> {
  machine.foreignShare();
  await Bun.sleep(IDLE_CHECK_MS);
  const share = machine.foreignShare();
  if (share > MAX_FOREIGN && !options.isLoadedAnyway)
    throw new Error(
      `other processes use ${formatShare(share)} of the machine, and at most ${formatShare(MAX_FOREIGN)} is allowed. ` +
        'Stop them, or try the benchmark with --loaded-anyway',
    );
}

async function compareAll(run: Run, cores: { system: string; load: string }): Promise<Comparison> {
  const startedAt = new Date().toISOString();
  await refuseLoadedMachine(run);
  const { loads, memory } = await runLoads(run);
  const streams = await runStreams(run);
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

/** Measures Tollgate and its peers. Stops all processes at the end, and after a failure or a signal. */
export async function runComparison(
  options: CompareOptions,
  report: (line: string) => void,
): Promise<Comparison> {
  if (Bun.which('wrk') === null) throw new Error('wrk is missing: install the Debian package wrk');
  if (findNginx() === null) throw new Error('nginx is missing: install the Debian package nginx-light');
  const cores = splitCores(availableParallelism());
  const [systems, load] = [new ChildProcesses(cores.system), new ChildProcesses(cores.load)];
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-compare-'));
  const cleanUp = () => rmSync(directory, { recursive: true, force: true });
  const abandon = () => {
    systems.killAll();
    load.killAll();
    cleanUp();
    process.exit(130);
  };
  process.once('SIGINT', abandon).once('SIGTERM', abandon);
  const machine = new MachineLoad();
  try {
    const run = { options, directory, systems, load, machine, report, skipped: [], foreignShare: 0 };
    return await compareAll(run, cores);
  } finally {
    await systems.stopAll();
    await load.stopAll();
    cleanUp();
    process.off('SIGINT', abandon).off('SIGTERM', abandon);
  }
}
