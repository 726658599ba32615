import { expect, test } from 'bun:test';
import { ownNode } from './own-node.ts';

test('an embedded store has one node: the process itself', async () => {
  const nodes = ownNode({ clock: { now: () => 7 }, configHash: () => 'one', openRequests: () => 3 });
  expect(await nodes.list()).toEqual([
    expect.objectContaining({ openRequests: 3, heartbeatAt: 7, configHash: 'one', closedAt: null }),
  ]);
});
