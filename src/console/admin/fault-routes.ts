import { Type } from '../../base/schema/type.ts';
import { listOf } from '../routes/list.ts';
import { adminRouteWith } from './admin-route.ts';
import { fault } from './fault-view.ts';
import { listFaults } from './list-faults.ts';

const route = adminRouteWith<'clock' | 'faults'>();

/** The route for faults of providers. */
export const faultRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/faults',
      group: 'Admin: operation',
      summary: 'Lists the faults of providers, even those that fallbacks have hidden from clients',
      query: Type.Object({
        ended: Type.Optional(Type.Boolean({ description: 'true: also faults that have ended.' })),
      }),
      answer: listOf(fault),
      returns:
        'The faults of all processes, the worst first. One refused key is a fault. Other causes are faults from three failed calls in five minutes, or when calls of a target are paused. A fault ends five minutes after a success, if no call fails meanwhile.',
    },
    ({ query: { ended: includesEnded = false }, exchange: { snapshot } }, parts) =>
      listFaults(parts, snapshot, { includesEnded }),
  ),
];
