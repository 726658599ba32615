import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Tool, ToolChoice } from '../../canonical/request.ts';
import { allowedTools } from './allowed-tools.ts';

type DecodeTool = (tool: JsonObject, text: string, namespace?: string) => Tool[];

/** The decoders of tools that other vendors know too. */
const decoders: Readonly<Record<string, DecodeTool>> = {
  function: decodeFunction,
  custom: decodeCustom,
  namespace: decodeNamespace,
};

type DecodedTools = { tools: Tool[]; toolChoice?: ToolChoice };

/** The choices that are a single word. The schema accepts no others. */
const choicesByWord: Readonly<Record<string, ToolChoice>> = {
  auto: { kind: 'auto' },
  none: { kind: 'none' },
  required: { kind: 'any' },
};

/** Decodes the request's own tools, and the choice among them. */
export function decodeTools(body: JsonBody): DecodedTools {
  const tools = decodeList(listOf(body.value.tools), elementsOf(memberText(body, 'tools')));
  const choice = body.value.tool_choice;
  return choice == null ? { tools } : choose(tools, choice);
}

/** Decodes tools outside the request's own list, such as those that an item adds. */
export function decodeAddedTools(added: unknown): Tool[] {
  const tools = listOf(added);
  return decodeList(
    tools,
    tools.map((tool) => JSON.stringify(tool)),
  );
}

/** Decodes a list. The schema does not check the tools that items add, so some may lack a type or a name. */
function decodeList(tools: readonly unknown[], texts: readonly string[], namespace?: string): Tool[] {
  return tools.flatMap((value, index) => {
    const tool = objectOf(value);
    const type = textOf(tool.type);
    const text = texts[index] ?? '{}';
    const decode = type === undefined ? undefined : lookUp(decoders, type);
    if (type === undefined || (decode && textOf(tool.name) === undefined)) return [];
    return decode
      ? decode(tool, text, namespace)
      : [{ kind: 'opaque', issuer: 'responses', tool: new RawJson(text) } as const];
  });
}

function namedFields(tool: JsonObject, namespace: string | undefined) {
  const description = textOf(tool.description);
  return {
    name: String(tool.name),
    ...(namespace !== undefined && { namespace }),
    ...(description !== undefined && { description }),
  };
}

function decodeFunction(tool: JsonObject, text: string, namespace?: string): Tool[] {
  const schema = tool.parameters == null ? undefined : sliceJson(text, ['parameters']);
  return [
    {
      kind: 'function',
      ...namedFields(tool, namespace),
      ...(schema !== undefined && { inputSchema: new RawJson(schema) }),
      ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
    },
  ];
}

function decodeCustom(tool: JsonObject, text: string, namespace?: string): Tool[] {
  const format = tool.format == null ? undefined : sliceJson(text, ['format']);
  return [
    {
      kind: 'freeform',
      ...namedFields(tool, namespace),
      ...(format !== undefined && { format: new RawJson(format) }),
    },
  ];
}

function decodeNamespace(tool: JsonObject, text: string): Tool[] {
  const texts = elementsOf(sliceJson(text, ['tools']) ?? '');
  return decodeList(listOf(tool.tools), texts, String(tool.name));
}

/** Applies the tool choice. A choice among some of the tools becomes a choice among a shorter list. */
function choose(tools: Tool[], choice: unknown): DecodedTools {
  if (typeof choice === 'string') return { tools, toolChoice: lookUp(choicesByWord, choice)! };
  const { type, mode, tools: allowed } = objectOf(choice);
  if (type !== 'allowed_tools') return { tools, toolChoice: decodeNamed(objectOf(choice)) };
  const isAllowed = allowedTools(listOf(allowed).map(objectOf));
  return { tools: tools.filter(isAllowed), toolChoice: lookUp(choicesByWord, String(mode))! };
}

/** Decodes a named choice. The vendor's own tools are named by their type. */
function decodeNamed({ type, name, namespace }: JsonObject): ToolChoice {
  const group = textOf(namespace);
  return { kind: 'named', name: textOf(name) ?? String(type), ...(group && { namespace: group }) };
}
