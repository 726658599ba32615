import type { Loss } from '../canonical/loss.ts';
import type { Part } from '../canonical/part.ts';
import { RawJson } from '../canonical/raw-json.ts';
import type { CanonicalRequest, FreeformTool, FunctionTool, Tool, ToolChoice } from '../canonical/request.ts';
import { freeformInputSchema, objectInput } from './flat-tool.ts';
import { type ToolNames, toolNames } from './tool-names.ts';

type FlattenOptions = {
  /** True for wires without freeform tools. Each becomes a function with one string parameter. */
  wrapFreeform: boolean;
};

const TEXT_SCHEMA = new RawJson(JSON.stringify(freeformInputSchema));

/**
 * Rewrites a request for a wire with flat tool names and JSON inputs: its tools, its tool choice and the
 * calls of its turns. restoreTools and restoreCall undo this in the answer.
 * They need only the tools of the original request.
 */
export function flattenTools(
  request: CanonicalRequest,
  { wrapFreeform }: FlattenOptions,
): { request: CanonicalRequest; losses: Loss[] } {
  const losses = lossesOf(request.tools, wrapFreeform);
  if (losses.length === 0 && !callsNeedIt(request, wrapFreeform)) return { request, losses };
  const names = toolNames(request.tools);
  const flattenPart = (part: Part): Part => flattenCall(part, names, wrapFreeform);
  const flat: CanonicalRequest = {
    ...request,
    tools: request.tools.map((tool) => flattenTool(tool, names, wrapFreeform)),
    turns: request.turns.map((turn) => ({ ...turn, parts: turn.parts.map(flattenPart) })),
  };
  if (request.toolChoice) flat.toolChoice = flattenChoice(request.toolChoice, names);
  return { request: flat, losses };
}

function lossesOf(tools: readonly Tool[], wrapFreeform: boolean): Loss[] {
  const losses: Loss[] = [];
  if (tools.some((tool) => tool.kind !== 'opaque' && tool.namespace !== undefined))
    losses.push({ code: 'namespace-flattened' });
  if (wrapFreeform && tools.some((tool) => tool.kind === 'freeform')) losses.push({ code: 'freeform-tool' });
  return losses;
}

/**
 * Reports whether a turn calls a tool that needs flattening.
 * A conversation may contain calls of tools that are no longer offered.
 */
const callsNeedIt = ({ turns }: CanonicalRequest, wrapFreeform: boolean): boolean =>
  turns.some(({ parts }) =>
    parts.some(
      (part) =>
        part.kind === 'tool-call' &&
        (part.namespace !== undefined || (wrapFreeform && part.input.kind === 'freeform')),
    ),
  );

function flattenTool(tool: Tool, names: ToolNames, wrapFreeform: boolean): Tool {
  if (tool.kind === 'opaque') return tool;
  const { namespace: _, ...plain } = tool;
  const flat = { ...plain, name: names.flatOf(tool) };
  return flat.kind === 'freeform' && wrapFreeform ? wrapTool(flat) : flat;
}

function wrapTool({ name, description, format }: FreeformTool): FunctionTool {
  const grammar = format === undefined ? '' : `The text must follow this format: ${format.text}`;
  const text = [description ?? '', grammar].filter((line) => line !== '').join('\n\n');
  return { kind: 'function', name, inputSchema: TEXT_SCHEMA, ...(text !== '' && { description: text }) };
}

function flattenCall(part: Part, names: ToolNames, wrapFreeform: boolean): Part {
  if (part.kind !== 'tool-call') return part;
  const { namespace: _, ...plain } = part;
  const call = { ...plain, name: names.flatOf(part) };
  if (!wrapFreeform || part.input.kind !== 'freeform') return call;
  return { ...call, input: { kind: 'json', text: objectInput(part.input) } };
}

const flattenChoice = (choice: ToolChoice, names: ToolNames): ToolChoice =>
  choice.kind === 'named' ? { kind: 'named', name: names.flatOf(choice) } : choice;
