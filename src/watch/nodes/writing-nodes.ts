import type { NodeDirectory, NodeRecord } from './node-record.ts';

/** A node that was closed by mistake writes its counts within this time. */
const SETTLE_MS = 10_000;

/** Returns the ids of the processes that can still write their counts. All others have ended. */
export async function writingNodes(
  nodes: Pick<NodeDirectory, 'list' | 'ownId'>,
  now: number,
): Promise<ReadonlySet<string>> {
  const settledBefore = now - SETTLE_MS;
  const canWrite = ({ closedAt }: NodeRecord) => closedAt === null || closedAt >= settledBefore;
  const writers = (await nodes.list()).filter(canWrite);
  return new Set([nodes.ownId(), ...writers.map(({ id }) => id)]);
}
