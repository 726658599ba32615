import type { Clock } from '../../base/lib/clock.ts';
import type { NodeDirectory } from './node-record.ts';

/** A node that was closed by mistake writes what it counted within this time. */
const SETTLE_MS = 10_000;

/** Returns the ids of the processes that can still write what they counted. All others have ended. */
export async function writingNodes(
  nodes: Pick<NodeDirectory, 'list' | 'ownId'>,
  clock: Pick<Clock, 'now'>,
): Promise<ReadonlySet<string>> {
  const settledBefore = clock.now() - SETTLE_MS;
  const listed = await nodes.list();
  const writing = listed.filter(({ closedAt }) => closedAt === null || closedAt >= settledBefore);
  return new Set([nodes.ownId(), ...writing.map(({ id }) => id)]);
}
