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

type ToolChange = (tools: PromptTool[], tool: Field, all: readonly PromptTool[]) => PromptTool[];

const withoutTool = (tools: PromptTool[], name: string) => tools.filter((tool) => tool.name !== name);

const TOOL_CHANGES: Record<string, ToolChange> = {
  tool_addition(tools, tool, all) {
    const type = tool.at('type').oneOf(CHANGED_TOOLS);
    if (type !== 'tool_reference' && type !== 'tool_definition') return tools; // tools of an MCP server
    const added =
      type === 'tool_definition'
        ? readMessagesTool(tool.at('definition'))
        : all.filter(isNamed(tool.at('name')));
    return [...added.reduce((kept, { name }) => withoutTool(kept, name), tools), ...added];
  },
  tool_removal(tools, tool) {
    const type = tool.at('type').oneOf(CHANGED_TOOLS);
    return type === 'tool_reference' ? withoutTool(tools, tool.at('name').text()) : tools;
  },
};

const CHANGED_TOOLS = [
  'tool_reference',
  'tool_definition',
  'mcp_tool_reference',
  'mcp_toolset_reference',
] as const;

function isNamed(field: Field): (tool: PromptTool) => boolean {
  const name = field.text();
  return (tool) => tool.name === name;
}

/** Applies the changes of the conversation to the tools of the request. */
export function changedTools(declared: PromptTool[], directives: readonly Field[]): PromptTool[] {
  let tools = declared;
  const all = [...declared];
  for (const block of directives.flatMap(blocksOf)) {
    if (!isToolChange(block)) continue;
    const change = TOOL_CHANGES[block.at('type').text()]!;
    tools = change(tools, block.at('tool'), all);
    all.push(...tools.filter((tool) => !all.includes(tool)));
  }
  return tools;
}

export const isToolChange = (block: Field): boolean => Object.hasOwn(TOOL_CHANGES, block.at('type').text());

const blocksOf = (message: Field): Field[] =>
  message.at('content').isText() ? [] : message.at('content').items();
