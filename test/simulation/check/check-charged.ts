import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import type { World } from '../world.ts';

/** Checks that an answer is charged before a reader gets its end. */
export async function checkCharged(world: World, requestId: string, name: string): Promise<void> {
  const { reader, hasStoreTrouble, simulation, counts } = world;
  if (hasStoreTrouble) return;
  countUp(counts, 'ends seen');
  if (!(await reader.isCharged(requestId)))
    simulation.fail(`${name} got the end of ${requestId} before its charge`);
}
