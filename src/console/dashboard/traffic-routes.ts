import { Refusal } from '../../base/errors/refusal.ts';
import { memberTraffic, memberTrafficQuery } from '../traffic/traffic-schema.ts';
import { memberFiguresOf, readTraffic, trafficView } from '../traffic/traffic-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { dashboardRoute } from './dashboard-route.ts';

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
    async ({ query, accountId }, parts) => {
      const traffic = await readTraffic(parts.traffic, { ...query, account: accountId });
      if (traffic instanceof Refusal) return traffic;
      const groupBy = query.group_by ?? null;
      const names = groupBy === 'key' ? await keyNames(parts, accountId) : new Map<string, string>();
      return trafficView(traffic, { groupBy, names, figuresOf: memberFiguresOf });
    },
  ),
];

async function keyNames({ accounts }: DashboardParts, accountId: string): Promise<Map<string, string>> {
  const keys = await accounts.listKeys(accountId);
  if (keys instanceof Refusal) return new Map();
  return new Map(keys.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
