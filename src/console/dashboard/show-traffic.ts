import { Refusal } from '../../base/errors/refusal.ts';
import type { WithQuery } from '../routes/typed-route.ts';
import { memberFiguresOf } from '../traffic/figures-of.ts';
import { readTraffic } from '../traffic/read-traffic.ts';
import type { memberTrafficQuery } from '../traffic/traffic-schema.ts';
import { trafficView } from '../traffic/traffic-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';

/** Shows the traffic of an organization. Groups of keys have their names. */
export async function showTraffic(
  { accountId, query }: OrganizationCall<WithQuery<typeof memberTrafficQuery>>,
  parts: DashboardParts,
) {
  const traffic = await readTraffic(parts.traffic, { ...query, account: accountId });
  const groupBy = query.group_by ?? null;
  const names = groupBy === 'key' ? await keyNames(parts, accountId) : new Map<string, string>();
  return trafficView(traffic, { groupBy, names, figuresOf: memberFiguresOf });
}

/** Returns the names of an account's keys by their ids. Keys without a name are left out. */
async function keyNames({ accounts }: DashboardParts, accountId: string): Promise<Map<string, string>> {
  const keys = await accounts.listKeys(accountId);
  if (keys instanceof Refusal) return new Map();
  return new Map(keys.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
