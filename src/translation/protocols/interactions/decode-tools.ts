import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, Tool } from '../../canonical/request.ts';

type Decoded = Pick<CanonicalRequest, 'tools' | 'toolChoice'>;

/** Decodes the tools, and the choice among the functions. */
export function decodeTools(body: JsonBody): Decoded {
  const texts = elementsOf(memberText(body, 'tools'));
  const tools = listOf(body.value.tools).map((tool, index) => toolOf(objectOf(tool), texts[index] ?? '{}'));
  return choose(tools, body.value);
}

function toolOf(tool: JsonObject, text: string): Tool {
  if (tool.type !== 'function') return { kind: 'opaque', issuer: 'interactions', tool: new RawJson(text) };
  const description = textOf(tool.description);
  return {
    kind: 'function',
    name: String(tool.name),
    ...(description && { description }),
    ...(isObject(tool.parameters) && { inputSchema: new RawJson(sliceJson(text, ['parameters']) ?? '{}') }),
  };
}

/** Returns the choice among the functions. */
export function choiceOf({ generation_config }: JsonObject): { mode: string | undefined; allowed: string[] } {
  const choice = objectOf(generation_config).tool_choice;
  if (typeof choice === 'string') return { mode: choice, allowed: [] };
  if (!isObject(choice)) return { mode: undefined, allowed: [] };
  const { mode, tools } = objectOf(choice.allowed_tools);
  return {
    mode: textOf(mode) ?? 'auto',
    allowed: listOf(tools).filter((name) => typeof name === 'string'),
  };
}

/** Applies the choice. A choice among some of the functions becomes a choice among a shorter list. */
function choose(tools: Tool[], body: JsonObject): Decoded {
  const { mode, allowed } = choiceOf(body);
  if (mode === undefined) return { tools };
  if (mode === 'none') return { tools, toolChoice: { kind: 'none' } };
  const allowedNames = new Set(allowed);
  const limited =
    allowed.length === 0
      ? tools
      : tools.filter((tool) => tool.kind === 'opaque' || allowedNames.has(tool.name));
  if (mode !== 'any') return { tools: limited, toolChoice: { kind: 'auto' } };
  const [name, ...others] = allowed;
  if (name !== undefined && others.length === 0) return { tools, toolChoice: { kind: 'named', name } };
  return { tools: limited, toolChoice: { kind: 'any' } };
}
