import { Type } from '../../base/schema/type.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import { filterField } from '../routes/filter-field.ts';
import { listOf, listView } from '../routes/list.ts';
import { pageFields, pageOf } from '../routes/page-fields.ts';
import { adminRouteWith } from './admin-route.ts';
import { queueInFleet } from './queue-in-fleet.ts';
import { queuedRequest } from './queue-view.ts';

const route = adminRouteWith<'capacity' | 'clock' | 'fleet' | 'nodes'>();

/** The route that shows the requests that wait for a slot. */
export const queueRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/queue',
      group: 'Admin: operation',
      summary: 'Shows the requests that wait for a slot at a provider, on the machine that answers',
      query: Type.Object({
        class: Type.Optional(Type.Enum([...planClasses], { description: 'Only requests of this class.' })),
        provider: filterField('Only requests that wait for this provider.'),
        account: filterField('Only requests of the account with this id.'),
        limit: pageFields.limit,
      }),
      answer: Type.Object({
        ...listOf(queuedRequest).properties,
        total: Type.Integer({ description: 'All requests that fit, also beyond the limit.' }),
      }),
      returns: 'The queued requests, the oldest first.',
    },
    async ({ query }, parts) => {
      const { rows, total } = await queueInFleet({ ...query, ...pageOf(query) }, parts);
      return { ...listView(rows, total > rows.length), total };
    },
  ),
];
