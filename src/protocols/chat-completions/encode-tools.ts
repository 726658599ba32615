import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/request.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { PROTOCOL } from './protocol.ts';

/** Of a request whose names are plain and whose tools all take JSON. */
export function encodeTools(request: CanonicalRequest, notes: EncodeNotes): object {
  const tools = request.tools.flatMap((tool) => encodeTool(tool, notes) ?? []);
  if (tools.length === 0) return {};
  const { toolChoice, parallelToolCalls } = request;
  return {
    tools,
    tool_choice: toolChoice && encodeChoice(toolChoice),
    parallel_tool_calls: parallelToolCalls,
  };
}

function encodeTool(tool: Tool, notes: EncodeNotes): object | undefined {
  if (tool.kind === 'opaque') {
    if (tool.issuer === PROTOCOL) return tool.tool;
    notes.lose('opaque-tool');
    return undefined;
  }
  const { name, description } = tool;
  if (tool.kind === 'freeform') return { type: 'custom', custom: { name, description, format: tool.format } };
  if (tool.cache) notes.lose('cache-breakpoint');
  const { inputSchema: parameters, strict } = tool;
  return { type: 'function', function: { name, description, parameters, strict } };
}

function encodeChoice(choice: ToolChoice): unknown {
  if (choice.kind === 'named') return { type: 'function', function: { name: choice.name } };
  return choice.kind === 'any' ? 'required' : choice.kind;
}
