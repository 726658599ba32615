import type { Field } from '../model/field.ts';
import type { PromptTool } from '../model/prompt.ts';

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

/** Tools with their own `type` run at the vendor. The simulator accepts them and never calls them. */
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

type ToolChange = (tools: KnownTools, tool: Field) => void;

const TOOL_CHANGES: Record<string, ToolChange> = {
  tool_addition({ offered, all }, tool) {
    const type = tool.at('type').oneOf(CHANGED_TOOLS);
    if (type !== 'tool_reference' && type !== 'tool_definition') return; // tools of an MCP server
    const named = type === 'tool_reference' ? all.get(tool.at('name').text()) : undefined;
    const added = type === 'tool_definition' ? readMessagesTool(tool.at('definition')) : (named ?? []);
    for (const each of [added].flat()) {
      all.set(each.name, each);
      offered.delete(each.name);
      offered.set(each.name, each);
    }
  },
  tool_removal({ offered }, tool) {
    const type = tool.at('type').oneOf(CHANGED_TOOLS);
    if (type === 'tool_reference') offered.delete(tool.at('name').text());
  },
};

const CHANGED_TOOLS = [
  'tool_reference',
  'tool_definition',
  'mcp_tool_reference',
  'mcp_toolset_reference',
] as const;

/** Applies the changes of the conversation to the tools of the request. */
export function changedTools(declared: PromptTool[], directives: readonly Field[]): PromptTool[] {
  const changes = directives.flatMap(blocksOf).filter(isToolChange);
  if (changes.length === 0) return declared;
  const all = new Map(declared.map((tool) => [tool.name, tool]));
  const offered = new Map(all);
  for (const block of changes) TOOL_CHANGES[block.at('type').text()]!({ offered, all }, block.at('tool'));
  return [...offered.values()];
}

export const isToolChange = (block: Field): boolean => Object.hasOwn(TOOL_CHANGES, block.at('type').text());

const blocksOf = (message: Field): Field[] =>
  message.at('content').isText() ? [] : message.at('content').items();
