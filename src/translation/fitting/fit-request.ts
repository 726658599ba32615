import { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';
import type { OpaquePart } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { CanonicalRequest, FunctionTool, OpaqueTool, Tool } from '../canonical/request.ts';
import { standInFor } from '../encoding/stand-in-for.ts';
import { hostedKindOf } from '../members/hosted-kind-of.ts';
import { decodeAddedTools } from '../protocols/responses/decode-tools.ts';
import { changeTools } from './change-tools.ts';
import { fitTurns } from './fit-turns.ts';
import { moveDocuments } from './move-documents.ts';
import { withoutRepeatedResults } from './without-repeated-results.ts';

type FittedRequest = { request: CanonicalRequest; losses: readonly Loss[] };

const losses: readonly (readonly [start: string, loss: LossCode])[] = [
  ['computer', 'computer-use'],
  ['browser_toolset', 'computer-use'],
  ['tool_search', 'tool-search'],
  ['programmatic_tool_calling', 'programmatic-calls'],
];

/**
 * Rewrites what only the request's own vendor understands for a wire of another protocol. Tools that the
 * client runs become functions, and their calls and results become those of functions. Other tools are
 * removed, unless the answer depends on one.
 */
export function fitRequest(original: CanonicalRequest, wire: ProtocolId): FittedRequest | Refusal {
  const once = withoutRepeatedResults(original);
  const request = wire === 'messages' ? once : withMovedDocuments(once);
  const isForeign = ({ issuer }: { issuer: ProtocolId }) => issuer !== wire;
  const items = request.turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'opaque'));
  const foreignItems = items.filter(isForeign);
  const isForeignTool = (tool: Tool): tool is OpaqueTool => tool.kind === 'opaque' && isForeign(tool);
  if (foreignItems.length === 0 && !request.tools.some(isForeignTool)) return { request, losses: [] };
  const added = addedTools(foreignItems, request.tools);
  const offered = changeTools([...request.tools, ...added], foreignItems);
  const functions = functionsFor(offered.filter(isForeignTool), offered);
  const removed = offered.filter((tool): tool is OpaqueTool => isForeignTool(tool) && !functions.has(tool));
  const tools = offered.flatMap((tool) => (isForeignTool(tool) ? (functions.get(tool)?.tool ?? []) : tool));
  const refusal = refuseWhatDepends({ ...request, tools }, removed);
  if (refusal) return refusal;
  const names = new Map([...functions.values()].map(({ name, tool }) => [name, tool.name]));
  const turns = fitTurns(request.turns, wire, (name) => names.get(name) ?? name);
  if (turns instanceof Refusal) return turns;
  const fitted = { ...request, tools, ...choiceOf(request, names), ...turns };
  return { request: fitted, losses: removed.map((tool) => ({ code: lossOf(tool) })) };
}

function withMovedDocuments(request: CanonicalRequest): CanonicalRequest {
  const turns = moveDocuments(request.turns);
  return turns === request.turns ? request : { ...request, turns: [...turns] };
}

/** Returns the tools that items of the conversation add, without those that are known already. */
function addedTools(items: readonly OpaquePart[], requestTools: readonly Tool[]): Tool[] {
  const adding = items.map(({ block }) => objectOf(block)).filter(({ tools }) => Array.isArray(tools));
  const keyOf = (tool: Tool) =>
    tool.kind === 'opaque' ? tool.tool.text : JSON.stringify([tool.namespace, tool.name]);
  const keys = new Set(requestTools.map(keyOf));
  return adding
    .flatMap(({ tools }) => decodeAddedTools(tools))
    .filter((tool) => {
      const isNew = !keys.has(keyOf(tool));
      keys.add(keyOf(tool));
      return isNew;
    });
}

/** The function that stands for a tool, and the tool's own name. */
type FittedTool = { name: string; tool: FunctionTool };

/** Returns the functions that can stand for tools, under names that no other tool has. */
function functionsFor(
  tools: readonly OpaqueTool[],
  offered: readonly Tool[],
): ReadonlyMap<OpaqueTool, FittedTool> {
  const freeNameFor = freeNames(offered);
  const functions = new Map<OpaqueTool, FittedTool>();
  for (const tool of tools) {
    const standIn = standInFor(tool.issuer, bodyOf(tool));
    if (standIn === undefined) continue;
    const { name, description, schema, standsFor } = standIn;
    const inputSchema = new RawJson(JSON.stringify(schema));
    const fitted = { kind: 'function', name: freeNameFor(name), description, inputSchema } as const;
    functions.set(tool, { name, tool: { ...fitted, ...(standsFor && { standsFor }) } });
  }
  return functions;
}

/** Returns a function that gives each name a name that no offered tool has: `shell`, else `shell_tool`. */
function freeNames(offered: readonly Tool[]): (name: string) => string {
  const takenNames = new Set(offered.flatMap((tool) => (tool.kind === 'opaque' ? [] : [tool.name])));
  const found = new Map<string, string>();
  return (name) => {
    let free = found.get(name) ?? name;
    for (let number = 1; takenNames.has(free); number++) free = `${name}_tool${number > 1 ? number : ''}`;
    found.set(name, free);
    return free;
  };
}

/** Refuses a request whose answer depends on a tool that the target does not have. */
function refuseWhatDepends(
  { tools, toolChoice, compacts }: CanonicalRequest,
  removed: readonly OpaqueTool[],
): Refusal | undefined {
  const [first] = removed;
  if (first === undefined || compacts) return undefined;
  const forced =
    toolChoice?.kind === 'named' ? removed.find((tool) => namesOf(tool).has(toolChoice.name)) : undefined;
  if (forced) return refuse('tool_choice', `forces a call of ${nameOf(forced)}`);
  const isUsable = tools.length > 0 || toolChoice?.kind === 'none';
  return isUsable ? undefined : refuse('tools', `the only tool is ${nameOf(first)}`);
}

const refuse = (param: string, problem: string): Refusal =>
  unqualifiedParam(param, `${problem}, which the chosen model's provider does not have`);

const bodyOf = ({ tool }: OpaqueTool) => objectOf(tool.parse());

const nameOf = (tool: OpaqueTool): string => {
  const { name, type } = bodyOf(tool);
  return textOf(name) ?? String(type);
};

/** A choice names a tool by its name or by its type. */
const namesOf = (tool: OpaqueTool): Set<unknown> => {
  const { name, type } = bodyOf(tool);
  return new Set([name, type]);
};

function lossOf(tool: OpaqueTool): LossCode {
  const body = bodyOf(tool);
  const type = textOf(body.type) ?? '';
  return hostedKindOf(body)?.loss ?? losses.find(([start]) => type.startsWith(start))?.[1] ?? 'opaque-tool';
}

function choiceOf({ toolChoice }: CanonicalRequest, names: ReadonlyMap<string, string>) {
  if (toolChoice?.kind !== 'named') return {};
  return { toolChoice: { ...toolChoice, name: names.get(toolChoice.name) ?? toolChoice.name } };
}
