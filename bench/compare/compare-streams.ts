import { startUpstream } from '../start-upstream.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { StreamFigures } from './comparison.ts';
import { benchOf, type ComparisonRun } from './comparison-run.ts';
import { measureStreams } from './measure-streams.ts';
import { inOrderOf, runRounds } from './run-rounds.ts';
import { selectAble } from './select-able.ts';
import { startCompared } from './start-compared.ts';
import { warmUp } from './warm-up.ts';

/** Measures paced streams. Their upstream belongs to the benchmark, because nginx cannot pace an answer. */
export async function compareStreams(run: ComparisonRun): Promise<StreamFigures[]> {
  const { plan } = run.options;
  const { streamIntervalMs, streamRounds } = plan;
  const { directory, load } = run;
  const upstreamPort = await startUpstream({ children: load, directory, streamIntervalMs });
  const systems = await selectAble(run, await startCompared(run, upstreamPort), ['stream']);
  await warmUp(run, systems, 'stream');
  return runRounds(run, streamRounds, (round) => runStreamRound(run, systems, round));
}

async function runStreamRound(
  run: ComparisonRun,
  systems: readonly SystemUnderTest[],
  round: number,
): Promise<StreamFigures[]> {
  const { streams, streamIntervalMs } = run.options.plan;
  const figures: StreamFigures[] = [];
  for (const count of streams)
    for (const system of inOrderOf(round, systems)) {
      run.report(`round ${round}: ${count} streams, ${system.name}`);
      const order = { round, streams: count, intervalMs: streamIntervalMs };
      figures.push(await measureStreams(benchOf(run, count), system, order));
    }
  return figures;
}
