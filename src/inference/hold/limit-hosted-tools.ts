import { Refusal } from '../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import { type MemberEdit, setAllMembers } from '../../base/json/set-members.ts';
import { valueAt } from '../../base/json/value-at.ts';
import { isEmptyObject } from '../../base/lib/is-empty-object.ts';
import type { Path } from '../../base/schema/format-path.ts';
import type { LossCode } from '../../translation/canonical/loss.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { hostedKindOf } from '../../translation/members/hosted-kind-of.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import { withdrawTools } from '../../translation/members/withdraw-tools.ts';
import type { Grant, HostedGroup } from '../cost/hosted-group.ts';
import { unservedTool } from '../cost/mark-needed.ts';

type Granted = { hosted: readonly HostedGroup[]; grants: readonly Grant[] };

const NO_CALLS: Grant = { calls: 0, tokens: 0 };

/**
 * Returns the request with the limits of its hosted tools that the hold covers. A limit that the request
 * allows to be higher is reported as a loss, and so are tools without a call, which are removed. Tools that
 * were not held are removed too.
 */
export function limitHostedTools(
  request: InferenceRequest,
  { hosted, grants }: Granted,
  dialect: Dialect,
): InferenceRequest | Refusal {
  if (request.runsTools !== true) return request;
  const { vendorRun = [], tools } = dialect.inspect(request.body.value);
  const limits = vendorRun.map((tool) => limitOf(tool, { hosted, grants }, request.body.value));
  const removed = limits.filter(isWithoutCall).map(({ tool }) => tool);
  const withdrawal = withdrawTools({
    body: request.body.value,
    tools,
    unserved: removed.map(unservedTool),
  });
  if ('problem' in withdrawal) return new Refusal('insufficient_paid_credit');
  const losses = new Set<LossCode>([...(request.losses ?? []), ...removed.map(lossOf)]);
  const edits: MemberEdit[] = [];
  for (const { group, grant, path, sent } of limits) {
    if (group === undefined || grant.calls === 0) continue;
    const members = membersOf(group, grant, sent);
    if (isEmptyObject(members)) continue;
    edits.push({ path, members });
    if (isLowered(group, grant, sent)) losses.add('hosted-tool-limit');
  }
  let body = edits.length === 0 ? request.body : setAllMembers(request.body, edits);
  if (withdrawal.removed.length > 0) body = removePaths(body, withdrawal.removed);
  if (body === request.body) return request;
  const limitedRequest = dialect.read(body);
  if (limitedRequest instanceof Refusal) return limitedRequest;
  return { ...request, ...limitedRequest, losses: [...losses], asSent: request.asSent ?? request.body.value };
}

/** `sent` is what the request has at `path`: the tool, or the body for a limit of all tools. */
type Limit = {
  tool: VendorRunTool;
  group: HostedGroup | undefined;
  grant: Grant;
  path: Path;
  sent: SentTool;
};
type SentTool = Readonly<Record<string, unknown>>;

/** Finds the grant by the tool's own name, since another model may have had fewer tools to grant. */
function limitOf(tool: VendorRunTool, { hosted, grants }: Granted, body: SentTool): Limit {
  const index = hosted.findIndex(({ tools }) =>
    tools.some((held) => held.name === tool.name && held.tool['type'] === tool.tool['type']),
  );
  const group = hosted[index];
  const path = group?.limit === 'max_tool_calls' ? [] : tool.at;
  return { tool, group, path, grant: grants[index] ?? NO_CALLS, sent: objectOf(valueAt(body, path)) };
}

/** A request may itself allow no call. Its tool is sent as it is. */
const isWithoutCall = ({ group, grant, sent }: Limit): boolean =>
  grant.calls === 0 && !(group?.limit && sent[group.limit] === 0);

const isLowered = ({ calls, call, limit, tokenLimit }: HostedGroup, grant: Grant, sent: SentTool): boolean =>
  grant.calls < calls ||
  grant.tokens < call.tokens ||
  isAbove(limit && sent[limit], grant.calls) ||
  isAbove(tokenLimit && sent[tokenLimit], grant.tokens);

const isAbove = (value: unknown, granted: number): boolean => typeof value === 'number' && value > granted;

/** Returns the members that differ from what the client sent. */
function membersOf(
  { limit, tokenLimit }: HostedGroup,
  { calls, tokens }: Grant,
  sent: SentTool,
): Record<string, number> {
  return {
    ...(limit && sent[limit] !== calls && { [limit]: calls }),
    ...(tokenLimit && sent[tokenLimit] !== tokens && { [tokenLimit]: tokens }),
  };
}

/** The losses of tools that have no price of their own. */
const lossesOfTypes: readonly (readonly [start: string, loss: LossCode])[] = [
  ['tool_search', 'tool-search'],
  ['mcp', 'mcp'],
];

function lossOf({ tool }: VendorRunTool): LossCode {
  const type = textOf(tool['type']) ?? '';
  const lossOfType = lossesOfTypes.find(([start]) => type.startsWith(start))?.[1];
  return hostedKindOf(tool)?.loss ?? lossOfType ?? 'opaque-tool';
}
