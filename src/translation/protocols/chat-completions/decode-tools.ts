import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, FunctionTool, Tool, ToolChoice } from '../../canonical/request.ts';
import { cacheOf } from './cache-control.ts';
import { PROTOCOL } from './protocol.ts';
import type { ChatRequest, ChatTool } from './request-schema.ts';
import { toolNameIn } from './tool-name-in.ts';
import { usesFunctions } from './uses-functions.ts';

type ToolOptions = Pick<CanonicalRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;
type FunctionDefinition = NonNullable<ChatRequest['functions']>[number];

const CHOICES: Readonly<Record<'none' | 'auto' | 'required', ToolChoice>> = {
  none: { kind: 'none' },
  auto: { kind: 'auto' },
  required: { kind: 'any' },
};

/**
 * Decodes the tools and the choice among them, or `functions`, their predecessor. Schemas are cut from the
 * text of the body, so that they keep their bytes.
 */
export function decodeTools(body: JsonBody, request: ChatRequest): ToolOptions {
  const { parallel_tool_calls } = request;
  // Clients that use `functions` can read only one call.
  if (usesFunctions(request)) return { ...decodeFunctions(body, request), parallelToolCalls: false };
  const texts = elementsOf(memberText(body, 'tools'));
  const tools = (request.tools ?? []).map((tool, index) => decodeTool(tool, texts[index]!));
  return {
    ...limitTools(tools, request.tool_choice),
    ...(typeof parallel_tool_calls === 'boolean' && { parallelToolCalls: parallel_tool_calls }),
  };
}

function decodeFunctions(body: JsonBody, { functions, function_call: choice }: ChatRequest): ToolOptions {
  const texts = elementsOf(memberText(body, 'functions'));
  const tools = (functions ?? []).map((definition, index) =>
    decodeFunction(definition, texts[index]!, ['parameters']),
  );
  if (choice === null || choice === undefined) return { tools };
  const toolChoice: ToolChoice =
    typeof choice === 'string' ? { kind: choice } : { kind: 'named', name: choice.name };
  return { tools, toolChoice };
}

function decodeTool(tool: ChatTool, text: string): Tool {
  if ('function' in tool && tool.type === 'function')
    return { ...decodeFunction(tool.function, text, ['function', 'parameters']), ...cacheOf(tool) };
  if (!('custom' in tool) || tool.type !== 'custom')
    return { kind: 'opaque', issuer: PROTOCOL, tool: new RawJson(text) };
  const { name, description, format } = tool.custom;
  return {
    kind: 'freeform',
    name,
    ...(description && { description }),
    ...(format && { format: new RawJson(sliceJson(text, ['custom', 'format'])!) }),
  };
}

/** Decodes a function. `path` leads to its parameters in the text of its tool. */
function decodeFunction(definition: FunctionDefinition, text: string, path: string[]): FunctionTool {
  const { name, description, parameters, strict } = definition;
  return {
    kind: 'function',
    name,
    ...(description && { description }),
    ...(parameters && { inputSchema: new RawJson(sliceJson(text, path)!) }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/**
 * Applies the tool choice. A choice among some of the tools becomes a choice among a shorter list. A choice
 * of a type that only its host knows is not decoded.
 */
function limitTools(tools: Tool[], choice: ChatRequest['tool_choice']): ToolOptions {
  if (choice === null || choice === undefined) return { tools };
  if (typeof choice === 'string') return { tools, toolChoice: CHOICES[choice] };
  if ('allowed_tools' in choice && choice.type === 'allowed_tools') {
    const allowed = new Set(choice.allowed_tools.tools.map(toolNameIn));
    const allowedTools = tools.filter((tool) => tool.kind !== 'opaque' && allowed.has(tool.name));
    return { tools: allowedTools, toolChoice: CHOICES[choice.allowed_tools.mode] };
  }
  const name = toolNameIn(choice);
  const toolChoice: ToolChoice | undefined =
    name === undefined ? lookUp(CHOICES, choice.type) : { kind: 'named', name };
  return { tools, ...(toolChoice && { toolChoice }) };
}
