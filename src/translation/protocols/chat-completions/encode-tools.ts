import type { CanonicalRequest, Tool, ToolChoice } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { refuseToolChoice } from '../../encoding/refuse-tool-choice.ts';
import { PROTOCOL } from './protocol.ts';

/** Encodes the tools of a flattened request, whose tools have flat names and JSON inputs. */
export function encodeTools(request: CanonicalRequest, notes: EncodeNotes): object {
  const tools = request.tools.flatMap((tool) => encodeTool(tool, notes) ?? []);
  checkChoice(request, notes);
  if (tools.length === 0) return {};
  const { toolChoice, parallelToolCalls } = request;
  return {
    tools,
    tool_choice: toolChoice && encodeChoice(toolChoice),
    parallel_tool_calls: parallelToolCalls,
  };
}

/**
 * Refuses a forced call that none of the usable tools can satisfy. Another vendor's own tool is not usable.
 */
function checkChoice({ tools, toolChoice }: CanonicalRequest, notes: EncodeNotes): void {
  const usable = tools.filter((tool) => tool.kind !== 'opaque' || tool.issuer === PROTOCOL);
  const isMet = (choice: ToolChoice): boolean => {
    if (choice.kind === 'any') return tools.length === 0 || usable.length > 0;
    return (
      choice.kind !== 'named' || usable.some((tool) => tool.kind === 'opaque' || tool.name === choice.name)
    );
  };
  if (toolChoice && !isMet(toolChoice)) refuseToolChoice(toolChoice, notes);
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
