import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { SchemaWriter } from './schema-writer.ts';
import { inJson } from './tool-values.ts';

/** The text around all tools, as `openai/harmony` publishes it. */
export const TYPESCRIPT_FRAME =
  '# Tools\n\n## functions\n\nnamespace functions {\n\n} // namespace functions';

/** The schema of a tool's input, in all dialects. */
const SCHEMAS = ['parameters', 'input_schema', 'inputSchema', 'schema'] as const;
const shownMembers: ReadonlySet<string> = new Set(['name', 'description', 'tools', ...SCHEMAS]);

/** The members that hold a tool, in the dialect of chat completions. */
const WRAPPERS = ['function', 'custom'] as const;

/**
 * The characters by which references may make tools longer. Writing this many takes about 40 ms, in which
 * nothing else is served.
 */
const MAX_ADDED = 256 * 1024;
/** The JSON that references may lead to, besides the tools themselves. The text for it is rarely shorter. */
const MAX_REACHED = 4 * MAX_ADDED;

/** Reports whether a member is one that no rendering shows. */
const isNeverShown = (name: string, value: unknown): boolean =>
  (name === 'type' && (value === 'function' || value === 'custom')) ||
  (name === 'strict' && (value === null || typeof value === 'boolean'));

/**
 * Returns tools as OpenAI writes them into the prompt: as function types of TypeScript. A group of tools has
 * all its tools. Returns undefined if the tools are too long when they are written out.
 *
 * @example
 * const tool = { name: 'sum', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
 * toolsAsTypescript([tool]); // → ['type sum = (_: {\na?: number,\n}) => any;\n\n']
 */
export function toolsAsTypescript(tools: readonly unknown[]): string[] | undefined {
  const { length } = JSON.stringify(tools);
  const writer = new SchemaWriter({ space: length + MAX_ADDED, reach: length + MAX_REACHED });
  const texts: string[] = [];
  for (const tool of tools) {
    texts.push(writeTool(tool, writer));
    if (writer.isCut) return undefined;
  }
  return texts;
}

function writeTool(tool: unknown, writer: SchemaWriter): string {
  if (!isObject(tool)) return inJson(tool);
  for (const name of WRAPPERS) {
    const { [name]: inner, ...rest } = tool;
    if (isObject(inner)) return `${remarksOn(rest, isNeverShown)}${writeMembers(inner, writer)}`;
  }
  return writeMembers(tool, writer);
}

function writeMembers(tool: Fields, writer: SchemaWriter): string {
  const { name = '', description, tools } = tool;
  const above = `${writer.writeComments({ description }, '')}${remarksOn(tool, isShownElsewhere)}`;
  const inputs = SCHEMAS.filter((member) => tool[member] != null).map((member) =>
    writer.writeInput(tool[member]),
  );
  const label = typeof name === 'string' ? name : inJson(name);
  return `${above}type ${label} = (${inputs.join(', ')}) => any;\n\n${writeGroup(tools, writer)}`;
}

function writeGroup(tools: unknown, writer: SchemaWriter): string {
  if (tools === undefined) return '';
  if (!Array.isArray(tools)) return inJson(tools);
  return `${TYPESCRIPT_FRAME}\n\n${tools.map((tool) => writeTool(tool, writer)).join('')}`;
}

/** Reports whether the function type, or no rendering, shows a member. Remarks have the other members. */
const isShownElsewhere = (name: string, value: unknown): boolean =>
  shownMembers.has(name) || isNeverShown(name, value);

/** Writes members as comments. */
function remarksOn(members: Fields, isOmitted: (name: string, value: unknown) => boolean): string {
  const notes = Object.entries(members)
    .filter(([name, value]) => !isOmitted(name, value))
    .map(([name, value]) => `// ${name}: ${inJson(value)}\n`);
  return notes.join('');
}
