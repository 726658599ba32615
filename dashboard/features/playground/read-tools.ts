import { isObject } from '../../../src/base/lib/is-object.ts';
import { parseJson } from './parse-json.ts';

export type ToolDefinition = { name: string; description: string; schema: Record<string, unknown> };

type ReadTool = { tool: ToolDefinition } | { fault: string };
type ReadTools = { tools: ToolDefinition[] } | { fault: string };

const emptySchema = { type: 'object', properties: {} };

/**
 * Reads tools in the form of any dialect: `input_schema`, `parameters`, `function.parameters`, or
 * `functionDeclarations`. Dialects allow different names, so the server checks them.
 */
export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { tools: [] };
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  const declarations = (Array.isArray(parsed.value) ? parsed.value : [parsed.value]).flatMap(declarationsIn);
  const tools: ToolDefinition[] = [];
  for (const [index, declaration] of declarations.entries()) {
    const read = readTool(declaration);
    if ('fault' in read) return { fault: `Tool ${index + 1}: ${read.fault}` };
    tools.push(read.tool);
  }
  return { tools };
}

/** Returns the functions of a tool in Gemini's form, or a tool of any other form itself. */
const declarationsIn = (tool: unknown): unknown[] =>
  isObject(tool) && Array.isArray(tool.functionDeclarations) ? tool.functionDeclarations : [tool];

function readTool(declaration: unknown): ReadTool {
  if (!isObject(declaration)) return { fault: 'must be an object.' };
  const fields = isObject(declaration.function) ? declaration.function : declaration;
  const { name, description, input_schema, parametersJsonSchema, parameters } = fields;
  if (typeof name !== 'string' || name === '') return { fault: 'needs a name.' };
  const schema = input_schema ?? parametersJsonSchema ?? parameters ?? emptySchema;
  if (!isObject(schema)) return { fault: 'its schema must be an object.' };
  return { tool: { name, description: typeof description === 'string' ? description : '', schema } };
}
