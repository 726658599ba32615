import { listOf, listView } from '../routes/list.ts';
import { adminRouteWith } from './admin-route.ts';
import { node, nodeView } from './node-view.ts';

const route = adminRouteWith<'nodes'>();

/** The route that lists the nodes. */
export const nodeRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/nodes',
      group: 'Admin: operation',
      summary: 'Lists the nodes that serve, and those that were closed within the last hour',
      answer: listOf(node),
      returns: 'The nodes, the oldest first.',
    },
    async (_, { nodes }) => {
      const ownHash = nodes.configHash();
      return listView((await nodes.list()).map((record) => nodeView(record, ownHash)));
    },
  ),
];
