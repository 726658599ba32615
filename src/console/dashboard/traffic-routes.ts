import { memberTraffic, memberTrafficQuery } from '../traffic/traffic-schema.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { showTraffic } from './show-traffic.ts';

/** The traffic of an organization, without providers, nodes and what they cost. */
export const trafficRoutes = [
  dashboardRoute(
    {
      method: 'GET',
      path: '/dashboard/v1/organizations/{account}/traffic',
      access: 'viewer',
      query: memberTrafficQuery,
      answer: memberTraffic,
    },
    showTraffic,
  ),
];
