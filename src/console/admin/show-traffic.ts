import { Refusal } from '../../base/errors/refusal.ts';
import type { NodeRecord } from '../../watch/nodes/node-record.ts';
import type { TrafficColumn } from '../../watch/traffic/traffic-figures.ts';
import { operatorFiguresOf } from '../traffic/figures-of.ts';
import { readTraffic, type TrafficQuery } from '../traffic/read-traffic.ts';
import { trafficView } from '../traffic/traffic-view.ts';
import type { AdminParts } from './admin-parts.ts';

type NameParts = Pick<AdminParts, 'accounts' | 'keys' | 'nodes'>;

/** Shows the traffic that a query asks for. Groups of accounts, keys and nodes have their names. */
export async function showTraffic(query: TrafficQuery, parts: NameParts & Pick<AdminParts, 'traffic'>) {
  const traffic = await readTraffic(parts.traffic, await withAccountOfKey(query, parts));
  const groupBy = query.group_by ?? null;
  const groups = [...new Set(traffic.points.map(({ group }) => group ?? ''))];
  const names = groupBy ? await namesOf(groups, groupBy, parts) : new Map<string, string>();
  return trafficView(traffic, { groupBy, names, figuresOf: operatorFiguresOf });
}

/** The sums of a key are found by its account. */
async function withAccountOfKey(query: TrafficQuery, { keys }: NameParts): Promise<TrafficQuery> {
  if (query.key === undefined || query.account !== undefined) return query;
  const key = await keys.findKey(query.key);
  return key ? { ...query, account: key.accountId } : query;
}

/** Returns the names of accounts, keys and nodes. Groups of other columns are named by themselves. */
async function namesOf(
  groups: readonly string[],
  groupBy: TrafficColumn,
  parts: NameParts,
): Promise<Map<string, string>> {
  const nameOf = namers[groupBy]?.(parts);
  if (!nameOf) return new Map();
  const named = await Promise.all(groups.map(async (group) => [group, await nameOf(group)] as const));
  return new Map(named.flatMap(([group, name]) => (name == null ? [] : [[group, name] as const])));
}

/** Finds the name of a group by its id. */
type NameOf = (id: string) => Promise<string | null | undefined>;

/** The columns whose groups are ids of something with a name. */
const namers: Partial<Record<TrafficColumn, (parts: NameParts) => NameOf>> = {
  account: (parts) => (id) => accountName(parts, id),
  key: (parts) => async (id) => (await parts.keys.findKey(id))?.name,
  node: ({ nodes }) => {
    // Without a group nobody would wait for the list, and its failure would end the process.
    let listed: Promise<NodeRecord[]> | undefined;
    return async (id) => {
      listed ??= nodes.list();
      return (await listed).find((node) => node.id === id)?.host;
    };
  },
};

async function accountName({ accounts }: NameParts, id: string): Promise<string | undefined> {
  const account = await accounts.find(id);
  return account instanceof Refusal ? undefined : account.name;
}
