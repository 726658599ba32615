import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { NodeRecord } from '../../watch/nodes/node-record.ts';
import type { AdminParts } from './admin-parts.ts';
import { serveAdminRoute } from './admin-route.ts';
import { nodeRoutes } from './node-routes.ts';

const node = (change: Partial<NodeRecord>): NodeRecord => ({
  id: 'node_a',
  startedAt: 0,
  heartbeatAt: 1_000,
  version: '1.0.0',
  commitDate: '2026-11-24',
  configHash: 'one',
  host: 'h',
  worker: null,
  openRequests: 2,
  shares: { openai: 5 },
  closedAt: null,
  ...change,
});

const listed = async (nodes: NodeRecord[], own = 'one') => {
  const parts = { nodes: { list: async () => nodes, configHash: () => own, ownId: () => 'node_a' } };
  const { handle } = serveAdminRoute(nodeRoutes[0]!, partial<AdminParts>(parts));
  const { body } = (await handle({ query: '' } as Exchange)) as { body: string };
  return JSON.parse(body).data;
};

test('lists nodes and marks those with another configuration', async () => {
  const [same, other, closed] = await listed([
    node({}),
    node({ id: 'node_b', configHash: 'two' }),
    node({ id: 'node_c', configHash: 'two', closedAt: 5_000 }),
  ]);
  expect(same).toEqual({
    id: 'node_a',
    version: '1.0.0',
    commit_date: '2026-11-24',
    config_hash: 'one',
    config_differs: false,
    open_requests: 2,
    heartbeat: '1970-01-01T00:00:01.000Z',
    shares: { openai: 5 },
    closed: null,
    host: 'h',
    worker: null,
    started_at: '1970-01-01T00:00:00.000Z',
  });
  expect(other.config_differs).toBe(true);
  expect(closed).toMatchObject({ config_differs: false, closed: '1970-01-01T00:00:05.000Z' });
});
