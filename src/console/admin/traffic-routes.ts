import { operatorTraffic, operatorTrafficQuery } from '../traffic/traffic-schema.ts';
import { adminRouteWith } from './admin-route.ts';
import { showTraffic } from './show-traffic.ts';

const route = adminRouteWith<'accounts' | 'keys' | 'nodes' | 'traffic'>();

/** The route for the traffic of the whole installation. */
export const trafficRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/traffic',
      group: 'Admin: requests',
      summary: 'Sums the traffic of all accounts and nodes by interval and group',
      query: operatorTrafficQuery,
      answer: operatorTraffic,
      returns:
        'The figures of the span and of its intervals. Sums of minutes are kept for 2 days, of hours for 35 and of days for 400.',
    },
    ({ query }, parts) => showTraffic(query, parts),
  ),
];
