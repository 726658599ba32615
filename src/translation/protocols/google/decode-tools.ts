import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, FunctionTool, Tool } from '../../canonical/request.ts';
import { jsonSchemaOf } from './json-schema-of.ts';

type ToolOptions = Pick<CanonicalRequest, 'tools' | 'toolChoice'>;

/** The member of a tool that declares functions. Other members are tools that the vendor runs. */
export const DECLARATIONS = 'functionDeclarations';

const AUTO: Pick<ToolOptions, 'toolChoice'> = { toolChoice: { kind: 'auto' } };

/** Decodes the functions and the vendor's own tools, and the choice among them. */
export function decodeTools(body: JsonBody): ToolOptions {
  const texts = elementsOf(memberText(body, 'tools'));
  const tools = listOf(body.value['tools']).flatMap((tool, index) =>
    toolsIn(objectOf(tool), texts[index] ?? '{}'),
  );
  return applyChoice(tools, body.value);
}

function toolsIn(tool: Fields, text: string): Tool[] {
  const declared = tool[DECLARATIONS];
  if (declared === undefined) return [{ kind: 'opaque', issuer: 'google', tool: new RawJson(text) }];
  const texts = elementsOf(sliceJson(text, [DECLARATIONS]) ?? '');
  return listOf(declared).map((declaration, index) =>
    functionOf(objectOf(declaration), texts[index] ?? '{}'),
  );
}

function functionOf(declaration: Fields, text: string): FunctionTool {
  const { name, description } = declaration;
  const schema = schemaOf(declaration, text);
  return {
    kind: 'function',
    name: name as string, // as the schema says
    ...(typeof description === 'string' && description !== '' && { description }),
    ...(schema !== undefined && { inputSchema: new RawJson(schema) }),
  };
}

function schemaOf({ parameters, parametersJsonSchema }: Fields, text: string): string | undefined {
  if (isObject(parametersJsonSchema)) return sliceJson(text, ['parametersJsonSchema']);
  return isObject(parameters) ? JSON.stringify(jsonSchemaOf(parameters)) : undefined;
}

/** The mode of calls in upper case, and the names of the functions that are allowed. */
type Calling = { mode: string; allowed: string[] };

/** Reads the choice among the functions. Without one the model decides. */
export function callingOf({ toolConfig }: JsonObject): Calling {
  const { mode, allowedFunctionNames } = objectOf(objectOf(toolConfig).functionCallingConfig);
  return {
    mode: (textOf(mode) ?? 'AUTO').toUpperCase(),
    allowed: listOf(allowedFunctionNames).filter((name) => typeof name === 'string'),
  };
}

/** Applies the choice. A choice among some of the functions becomes a choice among a shorter list. */
function applyChoice(tools: Tool[], body: JsonObject): ToolOptions {
  const { mode, allowed } = callingOf(body);
  if (mode === 'NONE') return { tools, toolChoice: { kind: 'none' } };
  const allowedNames = new Set(allowed);
  const limited =
    allowed.length === 0
      ? tools
      : tools.filter((tool) => tool.kind === 'opaque' || allowedNames.has(tool.name));
  if (mode !== 'ANY') return { tools: limited, ...(isObject(body['toolConfig']) && AUTO) };
  const [name, ...otherNames] = allowed;
  if (name !== undefined && otherNames.length === 0) return { tools, toolChoice: { kind: 'named', name } };
  return { tools: limited, toolChoice: { kind: 'any' } };
}
