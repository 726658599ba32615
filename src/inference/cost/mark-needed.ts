import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { hostedKindOf } from '../../translation/members/hosted-kind-of.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import { withdrawTools } from '../../translation/members/withdraw-tools.ts';
import type { HostedGroup } from './hosted-group.ts';
import { MAX_TOKENS } from './hosted-limits.ts';

type Offer = { body: InferenceRequest['body']['value']; tools: number };

/**
 * Marks the groups without which the request cannot be answered. If the only tools are hosted, one of them
 * is.
 */
export function markNeeded(groups: readonly HostedGroup[], offer: Offer): readonly HostedGroup[] {
  const marked = groups.map((group) =>
    group.isNeeded || isNeeded(group.tools, offer) ? { ...group, isNeeded: true } : group,
  );
  if (marked.some((group) => group.isNeeded)) return marked;
  const hostedTools = groups.flatMap(({ tools }) => tools);
  if (!isNeeded(hostedTools, offer)) return marked;
  const cheapest = marked.toSorted((one, other) => costliness(one) - costliness(other))[0];
  return marked.map((group) => (group === cheapest ? { ...group, isNeeded: true } : group));
}

const costliness = ({ calls, limit, call }: HostedGroup): number =>
  (limit ? 1 : calls) * (call.tokens + call.written + (call.advisor ? MAX_TOKENS : 0));

const isNeeded = (tools: readonly VendorRunTool[], { body, tools: count }: Offer): boolean =>
  'problem' in withdrawTools({ body, unserved: tools.map(unservedTool), tools: count });

/** Returns a tool that is not served, as `withdrawTools` takes it. */
export const unservedTool = ({ tool, path, name }: VendorRunTool) => ({
  path,
  name,
  extra: hostedKindOf(tool)?.extra,
});
