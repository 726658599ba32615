import { createHash } from 'node:crypto';
import type { FreeformTool, FunctionTool, Tool } from '../canonical/request.ts';
import { flatToolName } from './flat-tool.ts';

export type NamedTool = FunctionTool | FreeformTool;
export type ToolName = { name: string; namespace?: string };

/** What wires without namespaces call the tools of a request, and which tool a name of theirs stands for. */
export type ToolNames = {
  flatOf(tool: ToolName): string;
  /** Which tool a wire's name stands for where it is not its own already; undefined: none of the request's. */
  toolOf(name: ToolName): NamedTool | undefined;
};

/** The shortest ceiling among the vendors' tool names. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
const UNUSABLE = /[^A-Za-z0-9_-]/g;

/** Depends on nothing but the tools, so that a name is the same in every turn, and prompt caches hold. */
export function toolNames(tools: readonly Tool[]): ToolNames {
  const named = tools.filter((tool) => tool.kind !== 'opaque');
  const byFlatName = new Map<string, NamedTool>();
  const flatNames = new Map<string, string>();
  for (const tool of named) if (tool.namespace === undefined) byFlatName.set(tool.name, tool);
  for (const tool of named) {
    if (tool.namespace === undefined) continue;
    const short = joinedName(tool);
    const name = byFlatName.has(short) ? hashedName(tool, short) : short;
    byFlatName.set(name, tool);
    flatNames.set(keyOf(tool), name);
    // What a wire says that joins names without a look at the others.
    const joined = flatToolName(tool);
    if (!byFlatName.has(joined)) byFlatName.set(joined, tool);
  }
  // Hosts that search tools put what they find into a group of their own making.
  const isKnown = (namespace: string) => named.some((tool) => tool.namespace === namespace);
  return {
    flatOf: (tool) =>
      tool.namespace === undefined ? tool.name : (flatNames.get(keyOf(tool)) ?? joinedName(tool)),
    toolOf: ({ namespace, name }) =>
      namespace === undefined
        ? (byFlatName.get(name) ?? onlyOneCalled(named, name))
        : named.find((tool) => tool.namespace === undefined && tool.name === name && !isKnown(namespace)),
  };
}

const keyOf = ({ namespace, name }: ToolName): string => JSON.stringify([namespace, name]);

function joinedName(tool: ToolName): string {
  const joined = flatToolName(tool);
  const usable = joined.replace(UNUSABLE, '_');
  return usable === joined && usable.length <= MAX_NAME_LENGTH ? usable : hashedName(tool, usable);
}

function hashedName(tool: ToolName, name: string): string {
  const hash = createHash('sha256').update(keyOf(tool)).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** Models leave the namespace out at times: where the bare name can mean one tool only, it means that. */
function onlyOneCalled(tools: readonly NamedTool[], name: string): NamedTool | undefined {
  const called = tools.filter((tool) => tool.name === name);
  return called.length === 1 ? called[0] : undefined;
}
