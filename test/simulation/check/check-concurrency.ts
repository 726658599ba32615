import type { World } from '../world.ts';
import type { Excess } from './vendor-watch.ts';

/**
 * A closed node goes on calling vendors until it notices, while its places are given to others. Its log or
 * that of the closing node reports this within the time.
 */
const NOTICED_WITHIN_MS = 60_000;
const CLOSED = /"event":"node-(?:was-)?closed"/;

/** Checks that no account has more requests at vendors than it may, unless one of their nodes was closed. */
export function checkConcurrency(world: World): void {
  for (const excess of world.watch.excesses)
    if (!wasNodeClosed(world, excess)) world.simulation.fail(excess.problem);
}

const wasNodeClosed = ({ simulation, nodes }: World, { at, hosts }: Excess): boolean =>
  hosts.size > 1 &&
  nodes
    .flatMap(({ log }) => log)
    .flatMap((text) => text.split('\n'))
    .filter((line) => CLOSED.test(line))
    .map((line) => Date.parse(JSON.parse(line).at) - simulation.startsAt)
    .some((closedAt) => Math.abs(closedAt - at) < NOTICED_WITHIN_MS);
