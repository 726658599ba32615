import { expect, test } from 'bun:test';
import type { NodeRecord } from './node-record.ts';
import { NodeWatch } from './node-watch.ts';

const node = (id: string, configHash = 'one'): NodeRecord => ({
  id,
  configHash,
  startedAt: 1,
  heartbeatAt: 1,
  commitDate: null,
  version: '1.0.0',
  host: 'a',
  worker: null,
  openRequests: 0,
  shares: {},
  closedAt: null,
});

/** Makes a watch of nodes that the test changes. */
function setUp() {
  const directory = { nodes: [node('node_a')], isAway: false };
  const events: [event: string, node: unknown][] = [];
  const watch = new NodeWatch(
    {
      configHash: () => 'one',
      ownId: () => 'node_a',
      list: async () => {
        if (directory.isAway) throw new Error('away');
        return directory.nodes;
      },
    },
    (_level, event, fields) => void events.push([event, fields.node]),
  );
  const figures = () =>
    watch.metrics[0]!.format()
      .split('\n')
      .filter((line) => line.startsWith('tollgate_nodes{'));
  return { watch, directory, events, figures };
}

test('counts the open nodes by whether they have the configuration of this one', async () => {
  const { watch, directory, figures } = setUp();
  directory.nodes = [node('node_a'), node('node_b', 'two'), { ...node('node_c'), closedAt: 7 }];
  await watch.look();
  expect(figures()).toEqual([
    'tollgate_nodes{configuration="same"} 1',
    'tollgate_nodes{configuration="different"} 1',
  ]);
  await watch.close();
});

test('reports each change once', async () => {
  const { watch, directory, events } = setUp();
  await watch.look();
  directory.nodes = [node('node_a'), node('node_b', 'two')];
  await watch.look();
  await watch.look();
  expect(events).toEqual([
    ['node-joined', 'node_b'],
    ['node-configuration-differs', 'node_b'],
  ]);
  directory.nodes = [node('node_a')];
  await watch.look();
  expect(events.slice(2)).toEqual([['node-left', 'node_b']]);
  await watch.close();
});

test('keeps the latest list while the store does not answer', async () => {
  const { watch, directory, events, figures } = setUp();
  await watch.look();
  directory.isAway = true;
  await watch.look();
  expect(events).toEqual([]);
  expect(figures()[0]).toBe('tollgate_nodes{configuration="same"} 1');
  await watch.close();
});
