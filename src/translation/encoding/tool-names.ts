import { createHash } from 'node:crypto';
import type { FreeformTool, FunctionTool, Tool } from '../canonical/request.ts';
import { flatToolName } from './flat-tool.ts';

/** A tool that the client runs and names. */
export type NamedTool = FunctionTool | FreeformTool;
export type ToolName = { name: string; namespace?: string };

/** Maps a request's tools to flat names for wires without namespaces, and flat names back to tools. */
export type ToolNames = {
  flatOf(tool: ToolName): string;
  /**
   * Returns the tool that a name on the wire refers to.
   * Returns undefined if it is not one of the request's tools.
   */
  toolOf(name: ToolName): NamedTool | undefined;
};

/** The lowest limit among the vendors for tool names. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;
const UNUSABLE = /[^A-Za-z0-9_-]/g;

/** The names that every vendor takes. */
export const SHORT_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The names that Anthropic and OpenAI's responses take. */
export const LONG_NAME = /^[A-Za-z0-9_-]{1,128}$/;
/** The names that Google takes. */
export const GOOGLE_NAME = /^[A-Za-z0-9_.:-]{1,128}$/;

/** Returns a name that every vendor takes, in place of one without a namespace that some refuse. */
export const usableName = (name: string): string => hashName({ name }, name.replace(UNUSABLE, '_'));

/**
 * Computes the flat names. They depend only on the tools, so that a name is the same in every turn and prompt
 * caches hold.
 */
export function toolNames(tools: readonly Tool[]): ToolNames {
  const clientTools = tools.filter((tool) => tool.kind !== 'opaque');
  const byFlatName = new Map<string, NamedTool>();
  const flatNames = new Map<string, string>();
  for (const tool of clientTools) {
    if (tool.namespace !== undefined) continue;
    byFlatName.set(tool.name, tool);
    if (!SHORT_NAME.test(tool.name)) byFlatName.set(usableName(tool.name), tool);
  }
  for (const tool of clientTools) {
    if (tool.namespace === undefined) continue;
    const short = joinName(tool);
    const name = byFlatName.has(short) ? hashName(tool, short) : short;
    byFlatName.set(name, tool);
    flatNames.set(keyOf(tool), name);
    // Some wires join names without checking for collisions, so the plain joined form is accepted too.
    const joined = flatToolName(tool);
    if (!byFlatName.has(joined)) byFlatName.set(joined, tool);
  }
  // Hosts that search tools return the results in a namespace of their own.
  const isKnown = (namespace: string) => clientTools.some((tool) => tool.namespace === namespace);
  return {
    flatOf: (tool) =>
      tool.namespace === undefined ? tool.name : (flatNames.get(keyOf(tool)) ?? joinName(tool)),
    toolOf: ({ namespace, name }) =>
      namespace === undefined
        ? (byFlatName.get(name) ?? onlyOneCalled(clientTools, name))
        : clientTools.find(
            (tool) => tool.namespace === undefined && tool.name === name && !isKnown(namespace),
          ),
  };
}

const keyOf = ({ namespace, name }: ToolName): string => JSON.stringify([namespace, name]);

function joinName(tool: ToolName): string {
  const joined = flatToolName(tool);
  const usable = joined.replace(UNUSABLE, '_');
  return usable === joined && usable.length <= MAX_NAME_LENGTH ? usable : hashName(tool, usable);
}

function hashName(tool: ToolName, name: string): string {
  const hash = createHash('sha256').update(keyOf(tool)).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** Finds the only tool with this name. Models sometimes leave out the namespace. */
function onlyOneCalled(tools: readonly NamedTool[], name: string): NamedTool | undefined {
  const called = tools.filter((tool) => tool.name === name);
  return called.length === 1 ? called[0] : undefined;
}
