import { measure } from '../measure.ts';
import { scenarios } from '../scenarios.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { benchOf, type ComparisonRun } from './comparison-run.ts';

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
