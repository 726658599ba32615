import { definedOf } from '../../../src/base/lib/records.ts';
import type { Settings, ToolDefinition } from './conversation.ts';

export const numberOf = (text: string): number | undefined => {
  const trimmed = text.trim();
  return trimmed === '' || Number.isNaN(Number(trimmed)) ? undefined : Number(trimmed);
};

export const stopsOf = ({ stop }: Settings): string[] | undefined => {
  const lines = stop.split('\n').filter((line) => line !== '');
  return lines.length > 0 ? lines : undefined;
};

/** Removes members without a value. */
export const present = <Members extends Record<string, unknown>>(members: Members): Partial<Members> =>
  definedOf(members);

/** Returns the fault of the JSON schema of the answer, or undefined. */
export function schemaFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const schema: unknown = JSON.parse(text);
    return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
      ? undefined
      : 'The schema must be an object.';
  } catch (error) {
    return `This is not valid JSON: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns the JSON schema of the answer. It is undefined if there is none, or if it is not valid. */
export const schemaOf = ({ schema }: Settings): Record<string, unknown> | undefined =>
  schema.trim() === '' || schemaFault(schema) ? undefined : JSON.parse(schema);

export type ReadTools = { tools: ToolDefinition[] } | { fault: string };

/**
 * Reads tools in the form of any dialect: `input_schema`, `parameters`,
 * `function.parameters`, or `functionDeclarations`.
 */
export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { tools: [] };
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    return { fault: `This is not valid JSON: ${error instanceof Error ? error.message : error}` };
  }
  const tools: ToolDefinition[] = [];
  for (const [index, declaration] of (Array.isArray(list) ? list : [list]).flatMap(declared).entries()) {
    const tool = readTool(declaration);
    if (typeof tool === 'string') return { fault: `Tool ${index + 1}: ${tool}` };
    tools.push(tool);
  }
  return { tools };
}

/** Gemini's dialect has a list of functions in each tool. */
const declared = (declaration: unknown): unknown[] => {
  const list = (declaration as { functionDeclarations?: unknown } | null)?.functionDeclarations;
  return Array.isArray(list) ? list : [declaration];
};

type Written = Record<
  'name' | 'description' | 'input_schema' | 'parameters' | 'parametersJsonSchema' | 'function',
  unknown
>;

function readTool(declaration: unknown): ToolDefinition | string {
  if (typeof declaration !== 'object' || declaration === null) return 'must be an object.';
  const outer = declaration as Partial<Written>;
  const tool = (
    typeof outer.function === 'object' && outer.function ? outer.function : outer
  ) as Partial<Written>;
  const { name, description } = tool;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return 'needs a name of letters, digits, - and _.';
  const schema = tool.input_schema ??
    tool.parametersJsonSchema ??
    tool.parameters ?? { type: 'object', properties: {} };
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return 'its schema must be an object.';
  return {
    name,
    description: typeof description === 'string' ? description : '',
    schema: schema as Record<string, unknown>,
  };
}

/** Returns the media type and the base64 text of a data URL. */
export function partsOfDataUrl(url: string): { type: string; data: string } {
  const [, type = 'image/jpeg', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return { type, data };
}

/** Returns the input of a tool call. Text that is not valid JSON is kept as it is. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text);
  } catch {
    return text;
  }
}
