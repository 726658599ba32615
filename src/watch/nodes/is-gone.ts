import type { Clock } from '../../base/lib/clock.ts';
import type { NodeDirectory } from './node-record.ts';

/** A node that was closed by mistake writes what it counted within this time. */
const SETTLE_MS = 10_000;

/**
 * Reports whether a process will write nothing more: it is in no list of nodes, or was closed some time ago.
 */
export async function isGone(
  id: string,
  nodes: Pick<NodeDirectory, 'list' | 'ownId'>,
  clock: Pick<Clock, 'now'>,
): Promise<boolean> {
  if (id === nodes.ownId()) return false;
  const node = (await nodes.list()).find((listed) => listed.id === id);
  return node === undefined || (node.closedAt !== null && node.closedAt < clock.now() - SETTLE_MS);
}
