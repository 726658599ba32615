import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { OpaquePart } from '../canonical/part.ts';
import type { Tool } from '../canonical/request.ts';
import { decodeDefinition } from '../protocols/messages/decode-tools.ts';

/** The blocks that add and remove tools within a conversation of the messages protocol. */
const changes: ReadonlySet<unknown> = new Set(['tool_addition', 'tool_removal']);

/**
 * Reports whether a block changes a tool that the request or the conversation defines, and not one of an MCP
 * server.
 */
export function changesTool({ type, tool }: JsonObject): boolean {
  if (!changes.has(type)) return false;
  const { definition, type: kind } = objectOf(tool);
  return kind === 'tool_reference' || isObject(definition);
}

/** Returns the tools that are offered at the end of the conversation. */
export function changeTools(offered: readonly Tool[], items: readonly OpaquePart[]): readonly Tool[] {
  const blocks = items.map(({ block }) => objectOf(block)).filter(changesTool);
  if (blocks.length === 0) return offered;
  const offeredByName = new Map(offered.map((tool) => [nameOf(tool), tool]));
  const tools = new Map(offeredByName);
  for (const { type, tool } of blocks) {
    const { name, definition } = objectOf(tool);
    const defined = isObject(definition) ? decodeDefinition(definition) : undefined;
    const key = defined ? nameOf(defined) : textOf(name);
    const added = defined ?? offeredByName.get(key);
    tools.delete(key);
    if (added === undefined) continue;
    offeredByName.set(key, added);
    if (type === 'tool_addition') tools.set(key, added);
  }
  return [...tools.values()];
}

function nameOf(tool: Tool): string | undefined {
  if (tool.kind !== 'opaque') return tool.name;
  const { name, type } = objectOf(tool.tool.parse());
  return textOf(name) ?? textOf(type);
}
