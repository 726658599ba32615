import { parseJson } from './parse-json.ts';

export type ToolDefinition = { name: string; description: string; schema: Record<string, unknown> };

type ReadTools = { tools: ToolDefinition[] } | { fault: string };

/**
 * Reads tools in the form of any dialect: `input_schema`, `parameters`,
 * `function.parameters`, or `functionDeclarations`.
 */
export function readTools(text: string): ReadTools {
  if (text.trim() === '') return { tools: [] };
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  const declarations = (Array.isArray(parsed.value) ? parsed.value : [parsed.value]).flatMap(declarationsIn);
  const tools: ToolDefinition[] = [];
  for (const [index, declaration] of declarations.entries()) {
    const tool = readTool(declaration);
    if (typeof tool === 'string') return { fault: `Tool ${index + 1}: ${tool}` };
    tools.push(tool);
  }
  return { tools };
}

/** Gemini's dialect has a list of functions in each tool. */
function declarationsIn(tool: unknown): unknown[] {
  const list = (tool as { functionDeclarations?: unknown } | null)?.functionDeclarations;
  return Array.isArray(list) ? list : [tool];
}

/** The members of a tool in any dialect. */
type Declaration = Partial<
  Record<
    'name' | 'description' | 'input_schema' | 'parameters' | 'parametersJsonSchema' | 'function',
    unknown
  >
>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the tool, or a text that says what is wrong with it. */
function readTool(declaration: unknown): ToolDefinition | string {
  if (typeof declaration !== 'object' || declaration === null) return 'must be an object.';
  const outer: Declaration = declaration;
  const tool: Declaration = isObject(outer.function) ? outer.function : outer;
  const { name, description } = tool;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return 'needs a name of letters, digits, - and _.';
  const schema = tool.input_schema ?? tool.parametersJsonSchema ?? tool.parameters ?? emptySchema;
  if (!isObject(schema)) return 'its schema must be an object.';
  return { name, description: typeof description === 'string' ? description : '', schema };
}

const emptySchema = { type: 'object', properties: {} };
