import { Refusal } from '../../base/errors/refusal.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';
import type { OpaquePart } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { CanonicalRequest, OpaqueTool, Tool } from '../canonical/request.ts';
import { standInFor } from '../encoding/vendor-tools.ts';
import { hostedKindOf } from '../members/hosted-kind-of.ts';
import { decodeAddedTools } from '../protocols/responses/decode-tools.ts';
import { changeTools } from './change-tools.ts';
import { fitTurns } from './fit-turns.ts';
import { moveDocuments } from './move-documents.ts';

export type FittedRequest = { request: CanonicalRequest; losses: readonly Loss[] };

/**
 * Rewrites what only the request's own vendor understands for a wire of another protocol. Tools that the
 * client runs become functions, and their calls and results become those of functions. Other tools are
 * removed, unless the answer depends on one.
 */
export function fitRequest(original: CanonicalRequest, wire: ProtocolId): FittedRequest | Refusal {
  const request = wire === 'messages' ? original : withMovedDocuments(original);
  const isForeign = ({ kind, issuer }: { kind: string; issuer?: ProtocolId }) =>
    kind === 'opaque' && issuer !== wire;
  const items = request.turns.flatMap(({ parts }) =>
    parts.filter((part): part is OpaquePart => part.kind === 'opaque' && isForeign(part)),
  );
  if (items.length === 0 && !request.tools.some(isForeign)) return { request, losses: [] };
  const offered = changeTools([...request.tools, ...addedTools(items, request.tools)], items);
  const names = new Map<string, string>();
  const removed: OpaqueTool[] = [];
  const tools = offered.flatMap((tool): Tool[] => {
    if (tool.kind !== 'opaque' || tool.issuer === wire) return [tool];
    const fitted = fitTool(tool, offered, names);
    if (fitted === undefined) removed.push(tool);
    return fitted ? [fitted] : [];
  });
  const refusal = refuseWhatDepends({ ...request, tools }, removed);
  if (refusal) return refusal;
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

/** Returns the function that stands for a tool, under a name that no other tool has. */
function fitTool(tool: OpaqueTool, offered: readonly Tool[], names: Map<string, string>): Tool | undefined {
  const standIn = standInFor(tool.issuer, objectOf(tool.tool.parse()));
  if (standIn === undefined) return undefined;
  const { name, description, schema, standsFor } = standIn;
  const isTaken = offered.some((other) => other.kind !== 'opaque' && other.name === name);
  const free = isTaken ? `${name}_tool` : name;
  names.set(name, free);
  const inputSchema = new RawJson(JSON.stringify(schema));
  return { kind: 'function', name: free, description, inputSchema, ...(standsFor && { standsFor }) };
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
  new Refusal('route_not_qualified', {
    param,
    message: `${param}: ${problem}, which the chosen model's provider does not have`,
  });

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

const losses: readonly (readonly [start: string, loss: LossCode])[] = [
  ['computer', 'computer-use'],
  ['browser_toolset', 'computer-use'],
  ['tool_search', 'tool-search'],
  ['programmatic_tool_calling', 'programmatic-calls'],
];

function lossOf(tool: OpaqueTool): LossCode {
  const body = bodyOf(tool);
  const type = textOf(body.type) ?? '';
  return hostedKindOf(body)?.loss ?? losses.find(([start]) => type.startsWith(start))?.[1] ?? 'opaque-tool';
}

function choiceOf({ toolChoice }: CanonicalRequest, names: ReadonlyMap<string, string>) {
  if (toolChoice?.kind !== 'named') return {};
  return { toolChoice: { ...toolChoice, name: names.get(toolChoice.name) ?? toolChoice.name } };
}
