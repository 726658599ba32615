import { measure } from '../measure.ts';
import { readProcessUsage } from '../process-usage.ts';
import { scenarios } from '../scenarios.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { LoadFigures, MemoryFigures } from './comparison.ts';
import { benchOf, type ComparisonRun } from './comparison-run.ts';
import { inOrderOf, runRounds } from './run-rounds.ts';
import { selectAble } from './select-able.ts';
import { startCompared } from './start-compared.ts';
import { startNginxUpstream } from './start-nginx-upstream.ts';
import { warmUp } from './warm-up.ts';

const residentMb = ({ pid }: SystemUnderTest): number =>
  pid === null ? 0 : readProcessUsage(pid).residentKb / 1024;

/** Measures ordinary and long requests, with nginx as the upstream. */
export async function compareLoads(
  run: ComparisonRun,
): Promise<{ loads: LoadFigures[]; memory: MemoryFigures[] }> {
  const { plan } = run.options;
  const upstreamPort = await startNginxUpstream(run.load, run.directory);
  const started = await startCompared(run, upstreamPort);
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
        ...loads.filter((load) => load.system === system.name).map((load) => load.residentMb ?? 0),
      ),
      afterMb: residentMb(system),
    }));
  await run.systems.stopAll();
  return { loads, memory };
}

async function runLoadRound(
  run: ComparisonRun,
  systems: readonly SystemUnderTest[],
  round: number,
): Promise<LoadFigures[]> {
  const { cells, seconds } = run.options.plan;
  const figures: LoadFigures[] = [];
  for (const { scenario, connections } of cells)
    for (const system of inOrderOf(round, systems)) {
      run.report(`round ${round}: ${scenario} over ${connections} connections, ${system.name}`);
      const entry = { scenario: scenarios[scenario], system };
      figures.push({
        ...(await measure(benchOf(run, connections), entry, { round, seconds })),
        connections,
      });
    }
  return figures;
}
