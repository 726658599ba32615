import type { CountText } from '../../src/translation/tokens/vocabulary.ts';

// biome-ignore lint/suspicious/noExplicitAny: a schema is read member by member
type Json = any;
type Fields = Record<string, Json>;
type Declared = { name: string; description: string; parameters: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value : []);

/** The functions among a body's tools, in any dialect. */
export function declaredTools({ tools, functions }: Fields): Declared[] {
  return [...listOf(tools), ...listOf(functions)].filter(isFields).map((tool) => {
    const { name, description, parameters, input_schema } = isFields(tool.function) ? tool.function : tool;
    return { name: text(name), description: text(description), parameters: parameters ?? input_schema };
  });
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const FRAME = ['# Tools', '', '## functions', '', 'namespace functions {', ''];
const framed = (tools: string[]): string => [...FRAME, ...tools, '} // namespace functions'].join('\n');

/** Renders tools for gpt-oss in the manner of `openai/harmony`. */
export const asHarmony = (tools: readonly Declared[]): string =>
  framed(
    tools.map(({ name, description, parameters }) => {
      const above = description
        .split('\n')
        .map((line) => `// ${line}\n`)
        .join('');
      const input = isFields(parameters) ? `_: ${harmonyType(parameters, '')}` : '';
      return `${above}type ${name} = (${input}) => any;\n`;
    }),
  );

function harmonyType(schema: unknown, indent: string): string {
  if (!isFields(schema)) return 'any';
  const { oneOf, type, items } = schema;
  if (Array.isArray(oneOf))
    return oneOf.map((one) => `\n${indent} | ${harmonyVariant(one, `${indent}   `)}`).join('');
  if (Array.isArray(type)) {
    const names = type
      .filter((one) => typeof one === 'string')
      .map((one) => (one === 'integer' ? 'number' : one));
    if (names.length > 0) return names.join(' | ');
  }
  if (type === 'object') return harmonyObject(schema, indent);
  if (type === 'string') {
    const values = listOf(schema.enum).filter((one) => typeof one === 'string');
    return values.length > 0 ? values.map((one) => `"${one}"`).join(' | ') : 'string';
  }
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return items === undefined ? 'Array<any>' : `${harmonyType(items, indent)}[]`;
  return 'any';
}

const orNull = (schema: unknown, type: string): string =>
  isFields(schema) && schema.nullable === true && !type.includes('null') ? `${type} | null` : type;

function defaultOf(schema: Fields): string | undefined {
  if (schema.default === undefined) return undefined;
  if (typeof schema.default !== 'string') return `default: ${JSON.stringify(schema.default)}`;
  return `default: ${'enum' in schema ? schema.default : `"${schema.default}"`}`;
}

function harmonyVariant(schema: unknown, indent: string): string {
  const type = orNull(schema, harmonyType(schema, indent));
  if (!isFields(schema)) return type;
  const said = [text(schema.description), defaultOf(schema)].filter(Boolean);
  return said.length > 0 ? `${type} // ${said.join(' ')}` : type;
}

function harmonyObject({ description, properties, required }: Fields, indent: string): string {
  let out = typeof description === 'string' ? `${indent}// ${description}\n{\n` : '{\n';
  if (isFields(properties))
    for (const [name, schema] of Object.entries(properties)) {
      const own: Fields = isFields(schema) ? schema : {};
      const mark = listOf(required).includes(name) ? '' : '?';
      if (typeof own.title === 'string') out += `${indent}// ${own.title}\n${indent}//\n`;
      if (typeof own.description === 'string') out += `${indent}// ${own.description}\n`;
      const examples = listOf(own.examples);
      if (examples.length > 0) out += `${indent}// Examples:\n`;
      for (const one of examples) if (typeof one === 'string') out += `${indent}// - "${one}"\n`;
      const said = defaultOf(own);
      if (Array.isArray(own.oneOf)) {
        if (said) out += `${indent}// ${said}\n`;
        out += `${indent}${name}${mark}:\n`;
        for (const one of own.oneOf) out += `${indent} | ${harmonyVariant(one, `${indent}   `)}\n`;
        out += `${indent},\n`;
        continue;
      }
      const type = orNull(own, harmonyType(schema, `${indent}    `));
      out += `${indent}${name}${mark}: ${type},${said ? ` // ${said}` : ''}\n`;
    }
  return `${out}${indent}}`;
}

/** As the counts of OpenAI's own API show: only descriptions, names, types and values. */
export const asPlainTypes = (tools: readonly Declared[]): string =>
  framed(
    tools.map(({ name, description, parameters }) => {
      const above = description ? `// ${description}\n` : '';
      const inside = isFields(parameters) ? plainMembers(parameters, 0) : '';
      return `${above}type ${name} = (${inside ? `_: {\n${inside}\n}` : ''}) => any;\n`;
    }),
  );

function plainMembers({ properties, required }: Fields, indent: number): string {
  if (!isFields(properties)) return '';
  return Object.entries(properties)
    .flatMap(([name, schema]) => [
      ...(isFields(schema) && typeof schema.description === 'string' ? [`// ${schema.description}`] : []),
      `${name}${listOf(required).includes(name) ? '' : '?'}: ${plainType(schema, indent)},`,
    ])
    .map((line) => ' '.repeat(indent) + line)
    .join('\n');
}

function plainType(schema: unknown, indent: number): string {
  if (!isFields(schema)) return 'any';
  const { type, items } = schema;
  if (type === 'object') return `{\n${plainMembers(schema, indent + 2)}\n}`;
  if (type === 'array') return items === undefined ? 'any[]' : `${plainType(items, indent)}[]`;
  const values = listOf(schema.enum);
  if (values.length > 0) return values.map((one) => JSON.stringify(one)).join(' | ');
  return type === 'integer' ? 'number' : text(type) || 'any';
}

/**
 * By the formula that OpenAI publishes for gpt-4o: fixed tokens for a function, its
 * properties and the values of a list.
 */
export function byFormula(tools: readonly Declared[], count: CountText): number {
  let tokens = tools.length > 0 ? 12 : 0;
  for (const { name, description, parameters } of tools) {
    tokens += 7 + count(`${name}:${description.replace(/\.$/, '')}`);
    const properties = isFields(parameters) && isFields(parameters.properties) ? parameters.properties : {};
    if (Object.keys(properties).length > 0) tokens += 3;
    for (const [key, schema] of Object.entries(properties)) {
      const { type, description: said, enum: values } = isFields(schema) ? schema : ({} as Fields);
      tokens += 3 + count(`${key}:${text(type)}:${text(said).replace(/\.$/, '')}`);
      if (Array.isArray(values)) tokens -= 3;
      for (const one of listOf(values)) tokens += 3 + (typeof one === 'string' ? count(one) : 1);
    }
  }
  return tokens;
}
