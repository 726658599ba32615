import { expect, test } from 'bun:test';
import type { NodeRecord } from './node-record.ts';
import { NodeWatch } from './node-watch.ts';

const node = (id: string, configHash: string, closedAt: number | null = null) =>
  ({ id, configHash, closedAt }) as NodeRecord;

test('counts open nodes by configuration, and tells a difference once and its end once', async () => {
  let listed = [node('a', 'one'), node('b', 'one'), node('c', 'two', 5)];
  const told: string[][] = [];
  const watch = new NodeWatch({
    nodes: { list: async () => listed, configHash: () => 'one' },
    drifted: (nodes) => void told.push(nodes.map(({ id }) => id)),
  });
  const counts = () => watch.metrics[0]!.read()[0]!.series.map(({ value }) => value);
  await watch.look();
  expect([counts(), told]).toEqual([[2, 0], []]);
  listed = [node('a', 'one'), node('b', 'two')];
  await watch.look();
  await watch.look();
  expect([counts(), told]).toEqual([[1, 1], [['b']]]);
  listed = [node('a', 'one')];
  await watch.look();
  expect(told).toEqual([['b'], []]);
  watch.close();
});
