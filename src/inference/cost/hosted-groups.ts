import { objectOf, textOf } from '../../base/json/read-json.ts';
import { keysOf } from '../../base/lib/records.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { CallPrice } from '../../translation/canonical/price-name.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { fetchesPages, hasCallLimit } from '../../translation/members/hosted-tool-types.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import { vendorRunMembers } from '../../translation/members/vendor-run.ts';
import { costliestCall, hostedCall } from './hosted-call.ts';
import type { HostedGroup, HostedQuestion } from './hosted-group.ts';
import { readLimit, usualLimits } from './hosted-limits.ts';
import { markNeeded } from './mark-needed.ts';

const NONE: readonly HostedGroup[] = [];

/** The most tools that calls are granted to. Further tools are removed. No vendor has as many. */
const MAX_TOOLS = 32;

/** Reports whether a request may cause calls of hosted tools. Most requests cannot. */
export const mayRunTools = ({
  runsTools,
  extras,
  body,
}: Pick<InferenceRequest, 'body' | 'extras'> & { runsTools?: true | undefined }): boolean =>
  runsTools === true ||
  (extras !== undefined && Object.keys(extras.certain).length > 0) ||
  vendorRunMembers.some((name) => isOn(body.value[name]));

const isOn = (value: unknown): boolean =>
  value != null &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0) &&
  objectOf(value)['mode'] !== 'off';

/** Lists what the vendor may run for a request, by the limits that its protocol has. */
export function hostedGroups(question: HostedQuestion): readonly HostedGroup[] {
  const { entry, servers, dialect, request } = question;
  if (isSimulated(entry) || !mayRunTools(request)) return NONE;
  // The tools of a vendor are removed on the wires of others.
  const isOwn = (server: CatalogEntry) => server.targets.some(({ wires }) => wires.includes(dialect.wire));
  if (!servers.some(isOwn)) return NONE;
  const { vendorRun = [], tools } = dialect.inspect(request.body.value);
  const groups = [...groupsOfTools(vendorRun, question), ...groupsOfMembers(vendorRun, question)];
  return markNeeded(groups, { body: request.body.value, tools });
}

function groupsOfTools(tools: readonly VendorRunTool[], question: HostedQuestion): HostedGroup[] {
  if (tools.length === 0) return [];
  if (question.dialect.wire !== 'openai-responses')
    return tools.slice(0, MAX_TOOLS).map((tool) => groupOfTool(tool, question));
  const { calls: usual } = usualLimits(question);
  const wantedCalls = readLimit(question.request.body.value['max_tool_calls']);
  return [
    {
      key: 'max_tool_calls',
      tools,
      limit: 'max_tool_calls',
      tokenLimit: undefined,
      isNeeded: false,
      calls: wantedCalls ?? usual,
      call: costliestCall(tools.map(({ tool }) => hostedCall(tool, question))),
    },
  ];
}

function groupOfTool(vendorTool: VendorRunTool, question: HostedQuestion): HostedGroup {
  const { tool, name } = vendorTool;
  const { calls: usual } = usualLimits(question);
  const type = textOf(tool['type']) ?? '';
  const isMessages = question.dialect.wire === 'anthropic-messages';
  const isLimited = isMessages && hasCallLimit(type);
  return {
    key: `${type} ${name}`,
    tools: [vendorTool],
    isNeeded: false,
    limit: isLimited ? 'max_uses' : undefined,
    tokenLimit: isMessages && fetchesPages(type) ? 'max_content_tokens' : undefined,
    calls: (isLimited ? readLimit(tool['max_uses']) : undefined) ?? usual,
    call: hostedCall(tool, question),
  };
}

/** Groups members that let the vendor run tools. They have no limit, and the answer depends on them. */
function groupsOfMembers(tools: readonly VendorRunTool[], question: HostedQuestion): HostedGroup[] {
  const { request, extras } = question;
  const { calls, tokens, image } = usualLimits(question);
  const certain = keysOf(request.extras?.certain ?? {});
  const on = vendorRunMembers.filter((name) => isOn(request.body.value[name]) && !isListed(name, tools));
  const searches = on.length > 0 && certain.length === 0;
  const names: (CallPrice | 'other')[] = searches ? ['other'] : certain;
  return names.map((name) => ({
    key: name,
    tools: [],
    limit: undefined,
    tokenLimit: undefined,
    isNeeded: true,
    calls,
    call: {
      tokens: name === 'image_generation' ? 0 : tokens,
      written: name === 'image_generation' ? image : 0,
      fee: name === 'other' ? 0 : (extras.units[name] ?? 0),
      advisor: undefined,
    },
  }));
}

/** The tools of MCP servers are in a toolset. */
const isListed = (member: string, tools: readonly VendorRunTool[]): boolean =>
  member === 'mcp_servers' && tools.some(({ tool }) => textOf(tool['type'])?.startsWith('mcp'));
