import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Tool, ToolChoice } from '../../canonical/request.ts';
import { cacheOf } from './cache-control.ts';

/** Decodes the request's own tools. Their schemas stay as the client sent them. */
export function decodeTools(body: JsonBody): Tool[] {
  const tools = listOf(body.value.tools);
  if (tools.length === 0) return [];
  const texts = elementsOf(memberText(body, 'tools'));
  return tools.map((tool, index) => decodeTool(objectOf(tool), texts[index] ?? '{}'));
}

function decodeTool(tool: Fields, text: string): Tool {
  if (tool.type != null && tool.type !== 'custom') {
    return { kind: 'opaque', issuer: 'messages', tool: new RawJson(text) };
  }
  const schema = sliceJson(text, ['input_schema']);
  return {
    kind: 'function',
    name: String(tool.name),
    ...(typeof tool.description === 'string' && { description: tool.description }),
    ...(schema !== undefined && { inputSchema: new RawJson(schema) }),
    ...(typeof tool.strict === 'boolean' && { strict: tool.strict }),
    ...cacheOf(tool),
  };
}

/** Decodes a tool that a message of the conversation defines. */
export const decodeDefinition = (definition: Fields): Tool =>
  decodeTool(definition, JSON.stringify(definition));

/** The decoders of the choices. The schema accepts no others. */
const choices: Readonly<Record<string, (choice: Fields) => ToolChoice>> = {
  auto: () => ({ kind: 'auto' }),
  any: () => ({ kind: 'any' }),
  tool: ({ name }) => ({ kind: 'named', name: String(name) }),
  none: () => ({ kind: 'none' }),
};

/** Decodes the tool choice, which also forbids parallel calls. */
export function decodeToolChoice(choice: unknown): { toolChoice?: ToolChoice; parallelToolCalls?: false } {
  if (choice == null) return {};
  const fields = objectOf(choice);
  return {
    toolChoice: lookUp(choices, textOf(fields.type))!(fields),
    ...(fields.disable_parallel_tool_use === true && { parallelToolCalls: false }),
  };
}

/** Checks the tools and the tool choice against each other. */
export function checkTools({ tools, tool_choice, messages }: Fields): Refusal | undefined {
  const names = listOf(tools).map((tool) => textOf(objectOf(tool).name));
  const twin = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
  if (twin >= 0) return invalidParam(`tools[${twin}].name`, 'is already the name of another tool');
  const { type, name } = objectOf(tool_choice);
  if (type !== 'any' && type !== 'tool') return undefined;
  const isMet = () => (type === 'any' ? names.length > 0 : names.includes(textOf(name)));
  if (isMet()) return undefined;
  names.push(...definedNames(messages));
  if (isMet()) return undefined;
  if (names.length === 0) return invalidParam('tool_choice', 'requires a call, but the request has no tools');
  return invalidParam('tool_choice.name', 'is not the name of a tool in this request');
}

/** Returns the names of the tools that messages of the conversation define. */
const definedNames = (messages: unknown): (string | undefined)[] =>
  listOf(messages)
    .flatMap((message) => listOf(objectOf(message).content))
    .map((block) => objectOf(objectOf(objectOf(block).tool).definition))
    .flatMap(({ name }) => (name === undefined ? [] : [textOf(name)]));
