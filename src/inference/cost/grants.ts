import type { Grant, HostedGroup } from './hosted-group.ts';
import { largestWithin } from './largest-within.ts';

type Grants = readonly Grant[];
/** Reports whether the credit pays for an answer with these calls. */
type Pays = (grants: Grants) => boolean;

/** A fetched page that is shorter than this is of little use. */
const MIN_CONTENT = 5_000;

const noCall = ({ call }: HostedGroup): Grant => ({ calls: 0, tokens: call.tokens });
const allCalls = ({ calls, call }: HostedGroup): Grant => ({ calls, tokens: call.tokens });

/** Grants every call that the request allows. */
export const fullGrants = (groups: readonly HostedGroup[]): Grants => groups.map(allCalls);

/** Grants what the request cannot do without. */
export const leastGrants = (groups: readonly HostedGroup[]): Grants =>
  groups.map((group) => (group.isNeeded ? leastOf(group) : noCall(group)));

/** A vendor without a limit may make all calls. */
function leastOf(group: HostedGroup): Grant {
  const { calls, limit, tokenLimit, call } = group;
  if (limit === undefined) return allCalls(group);
  return {
    calls: Math.min(calls, 1),
    tokens: tokenLimit ? Math.min(call.tokens, MIN_CONTENT) : call.tokens,
  };
}

/**
 * Grants as many calls as the credit pays for, the same number to each group. Returns undefined if it does
 * not pay for the least.
 */
export function bestGrants(groups: readonly HostedGroup[], pays: Pays): Grants | undefined {
  const least = leastGrants(groups);
  if (!pays(least)) return undefined;
  const withUnlimited = groups.reduce<Grants>(
    (grants, group, index) => withAllCalls(grants, { group, index, pays }),
    least,
  );
  const level = (calls: number): Grants =>
    groups.map((group, index) => atLeast(group, withUnlimited[index]!, calls));
  const maxCalls = Math.max(0, ...groups.map(({ calls }) => calls));
  const affordable = largestWithin(maxCalls, (calls) => pays(level(calls)));
  return groups.reduce<Grants>(
    (grants, group, index) => withOneMore(grants, { group, index, pays }),
    level(Math.max(0, affordable)),
  );
}

/** The group whose grant is raised, with its place in the list of grants. */
type GroupStep = { group: HostedGroup; index: number; pays: Pays };

/** Grants all calls to a group whose calls the vendor cannot limit. */
function withAllCalls(grants: Grants, { group, index, pays }: GroupStep): Grants {
  if (group.limit !== undefined) return grants;
  const raised = grants.with(index, allCalls(group));
  return pays(raised) ? raised : grants;
}

/** The full length of each call comes before further calls. */
function atLeast(group: HostedGroup, grant: Grant, calls: number): Grant {
  if (group.limit === undefined || calls === 0) return grant;
  return { calls: Math.min(group.calls, calls), tokens: group.call.tokens };
}

/** Grants one call more to a group, or a first one with less content. */
function withOneMore(grants: Grants, { group, index, pays }: GroupStep): Grants {
  const grant = grants[index]!; // each group has a grant
  if (group.limit === undefined || grant.calls >= group.calls) return grants;
  const isShort = grant.calls > 0 && grant.tokens < group.call.tokens;
  const raised = { calls: isShort ? 1 : grant.calls + 1, tokens: group.call.tokens };
  if (pays(grants.with(index, raised))) return grants.with(index, raised);
  if (group.tokenLimit === undefined || grant.calls > (isShort ? 1 : 0)) return grants;
  const tokens = largestWithin(raised.tokens, (count) =>
    pays(grants.with(index, { calls: 1, tokens: count })),
  );
  return tokens < Math.min(MIN_CONTENT, raised.tokens) ? grants : grants.with(index, { calls: 1, tokens });
}
