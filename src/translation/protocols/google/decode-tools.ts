import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { FunctionTool, Tool } from '../../canonical/request.ts';
import { applyChoice, type ToolOptions } from './apply-choice.ts';
import { jsonSchemaOf } from './json-schema-of.ts';

/** The member of a tool that declares functions. Other members are tools that the vendor runs. */
export const DECLARATIONS = 'functionDeclarations';

/** Decodes the functions and the vendor's own tools, and the choice among them. */
export function decodeTools(body: JsonBody): ToolOptions {
  const texts = elementsOf(memberText(body, 'tools'));
  const tools = listOf(body.value['tools']).flatMap((tool, index) =>
    toolsIn(objectOf(tool), texts[index] ?? '{}'),
  );
  return applyChoice(tools, { kind: choiceOf(body.value), allowed: callingOf(body.value).allowed });
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

function choiceOf(body: JsonObject): 'none' | 'any' | 'auto' | undefined {
  const { mode } = callingOf(body);
  if (mode === 'NONE') return 'none';
  if (mode === 'ANY') return 'any';
  return isObject(body['toolConfig']) ? 'auto' : undefined;
}
