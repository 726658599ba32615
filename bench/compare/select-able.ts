import { findObstacle } from '../measure.ts';
import { scenarios } from '../scenarios.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { ComparisonRun } from './comparison-run.ts';

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
