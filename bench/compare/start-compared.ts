import type { SystemName } from '../benchmark-report.ts';
import { findObstacle, measure } from '../measure.ts';
import { allPeers } from '../peers/all-peers.ts';
import type { PeerInputs } from '../peers/peer.ts';
import { buildGatewayCommand, startTollgate } from '../peers/tollgate.ts';
import { scenarios } from '../scenarios.ts';
import { directSystem } from '../start-systems.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { benchOf, type ComparisonRun } from './comparison-run.ts';

/** Starts Tollgate and its peers. A system that does not start is left out, with the reason. */
export async function startAll(run: ComparisonRun, upstreamPort: number): Promise<SystemUnderTest[]> {
  const { systems, directory, options, report, skipped } = run;
  const inputs: PeerInputs = {
    children: systems,
    directory,
    upstreamPort,
    programs: options.programs,
  };
  const started: SystemUnderTest[] = [directSystem(inputs)];
  const start = async (name: SystemName, begin: () => Promise<SystemUnderTest>) => {
    report(`starting ${name}`);
    try {
      started.push(await begin());
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!skipped.some((known) => known.system === name))
        skipped.push({ system: name, scenario: null, reason });
    }
  };
  await start('tollgate', () =>
    startTollgate(inputs, { buildCommand: buildGatewayCommand, wholeCatalog: false }),
  );
  for (const peer of allPeers.filter(({ name }) => options.peers.includes(name)))
    await start(peer.name, () => peer.start(inputs));
  return started;
}

/** Keeps the systems that answer the scenarios. */
export async function selectAble(
  run: ComparisonRun,
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

/** Loads each system, since the runtimes compile meanwhile. */
export async function warmUp(
  run: ComparisonRun,
  systems: readonly SystemUnderTest[],
  scenario: 'unary' | 'stream',
): Promise<void> {
  for (const system of systems) {
    run.report(`warming up ${scenario} ${system.name}`);
    const seconds = system.name === 'direct' ? 1 : run.options.plan.warmUpSeconds;
    await measure(benchOf(run, 32), { scenario: scenarios[scenario], system }, { round: 0, seconds });
  }
}
