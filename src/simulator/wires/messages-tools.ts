import { lookUp } from '../../base/lib/records.ts';
import type { Field } from '../model/field.ts';
import type { PromptTool } from '../model/prompt.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Reads a tool. A tool that runs at the vendor is accepted and never called, so the list is then empty. */
export function readMessagesTool(tool: Field): PromptTool[] {
  const type = tool.at('type').optionalText() ?? 'custom';
  const name = tool.at('name').text();
  if (type !== 'custom') return [];
  if (!TOOL_NAME.test(name)) tool.at('name').fail(`String should match pattern '${TOOL_NAME.source}'`);
  return [
    {
      name,
      description: tool.at('description').optionalText() ?? '',
      schema: tool.at('input_schema').record(),
    },
  ];
}

/** The tools that the model has, and all that were defined, by name. */
type KnownTools = { offered: Map<string, PromptTool>; all: Map<string, PromptTool> };

/** The forms in which a block names its tools. */
const TOOL_SOURCES = [
  'tool_reference',
  'tool_definition',
  'mcp_tool_reference',
  'mcp_toolset_reference',
] as const;

const TOOL_CHANGES: Readonly<Record<string, (known: KnownTools, tool: Field) => void>> = {
  tool_addition: addTools,
  tool_removal: removeTool,
};

/** Reports whether a block changes the tools of the model. */
export const isToolChange = (block: Field): boolean => Object.hasOwn(TOOL_CHANGES, block.at('type').text());

/** Applies the changes in messages to the tools of the request. */
export function applyToolChanges(declaredTools: PromptTool[], messages: readonly Field[]): PromptTool[] {
  const blocks = messages.flatMap(blocksOf);
  const all = new Map(declaredTools.map((tool) => [tool.name, tool]));
  const known = { offered: new Map(all), all };
  for (const block of blocks) lookUp(TOOL_CHANGES, block.at('type').text())?.(known, block.at('tool'));
  return blocks.some(isToolChange) ? [...known.offered.values()] : declaredTools;
}

function addTools({ offered, all }: KnownTools, tool: Field): void {
  for (const added of toolsToAdd(tool, all)) {
    all.set(added.name, added);
    offered.delete(added.name);
    offered.set(added.name, added);
  }
}

function toolsToAdd(tool: Field, all: ReadonlyMap<string, PromptTool>): PromptTool[] {
  const source = tool.at('type').oneOf(TOOL_SOURCES);
  if (source === 'tool_definition') return readMessagesTool(tool.at('definition'));
  if (source !== 'tool_reference') return []; // the simulator has no MCP servers
  const known = all.get(tool.at('name').text());
  return known ? [known] : [];
}

function removeTool({ offered }: KnownTools, tool: Field): void {
  if (tool.at('type').oneOf(TOOL_SOURCES) === 'tool_reference') offered.delete(tool.at('name').text());
}

const blocksOf = (message: Field): Field[] =>
  message.at('content').isText() ? [] : message.at('content').items();
