import type { Part } from '../canonical/part.ts';
import type { CanonicalRequest, Tool } from '../canonical/request.ts';
import { type ToolName, usableName } from './tool-names.ts';

/**
 * Gives tools other names if the wire refuses theirs, in the tools, the choice and the calls of a request.
 * restoreTools undoes this in the answer. `takes`: matches the names that the wire takes.
 */
export function renameTools(request: CanonicalRequest, takes: RegExp): CanonicalRequest {
  const isRefused = ({ name, namespace }: ToolName): boolean => namespace === undefined && !takes.test(name);
  const isRefusedTool = (tool: Tool): boolean => tool.kind !== 'opaque' && isRefused(tool);
  const isRefusedCall = (part: Part): boolean => part.kind === 'tool-call' && isRefused(part);
  const { tools, turns, toolChoice } = request;
  if (!tools.some(isRefusedTool) && !turns.some(({ parts }) => parts.some(isRefusedCall))) return request;
  const renamed = <Named extends ToolName>(named: Named): Named =>
    isRefused(named) ? { ...named, name: usableName(named.name) } : named;
  return {
    ...request,
    tools: tools.map((tool) => (tool.kind === 'opaque' ? tool : renamed(tool))),
    turns: turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) => (part.kind === 'tool-call' ? renamed(part) : part)),
    })),
    ...(toolChoice?.kind === 'named' && { toolChoice: renamed(toolChoice) }),
  };
}
