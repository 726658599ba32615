import type { CanonicalRequest, Tool } from '../../canonical/request.ts';

export type ToolOptions = Pick<CanonicalRequest, 'tools' | 'toolChoice'>;

/** The choice among the functions of a request, and the names that it allows. An empty list allows all. */
type FunctionChoice = { kind: 'none' | 'any' | 'auto' | undefined; allowed: readonly string[] };

/** Applies the choice. A choice among some of the functions becomes a choice among a shorter list. */
export function applyChoice(tools: Tool[], { kind, allowed }: FunctionChoice): ToolOptions {
  if (kind === 'none') return { tools, toolChoice: { kind } };
  const [name, ...otherNames] = allowed;
  if (kind === 'any' && name !== undefined && otherNames.length === 0)
    return { tools, toolChoice: { kind: 'named', name } };
  const names = new Set(allowed);
  const limitedTools =
    names.size === 0 ? tools : tools.filter((tool) => tool.kind === 'opaque' || names.has(tool.name));
  return { tools: limitedTools, ...(kind && { toolChoice: { kind } }) };
}
