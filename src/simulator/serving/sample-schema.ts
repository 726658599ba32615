import { textsOf } from '../../base/json/read-json.ts';
import { lookUp } from '../../base/lib/records.ts';
import {
  countText,
  isSchema,
  MAX_STEPS,
  mergeSchemas,
  resolveSchema,
  type SampleWork,
  type Schema,
} from './resolve-schema.ts';
import { numberAt, sampleNumber } from './sample-number.ts';
import { samplePattern } from './sample-pattern.ts';

type Sampler = (schema: Schema, position: Position) => unknown;

/** The place in the schema. `depth` ends optional recursion, and `name` appears in the sampled text. */
type Position = { work: SampleWork; depth: number; name: string };

/** The depth below which optional properties are omitted, so that recursive schemas end. */
const OPTIONAL_DEPTH = 4;
/** The depth limit. A schema that requires itself has no finite instance. */
const MAX_DEPTH = 24;
/** The longest text. */
const MAX_LENGTH = 10_000;
/** The longest pattern that a text is sampled for. Each of its parts takes time. */
const MAX_PATTERN = 1_000;

/** Longer than the name of any type. */
const MAX_TYPE = 16;

/** Texts of the formats that JSON Schema names. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2025-01-31T12:00:00Z',
  date: '2025-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'simulated@example.com',
  hostname: 'simulated.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/simulated',
  url: 'https://example.com/simulated',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const samplers = {
  object: sampleObject,
  array: sampleArray,
  string: sampleString,
  integer: (schema) => sampleNumber(schema, 1),
  number: (schema) => sampleNumber(schema, 0.5),
  boolean: () => true,
  null: () => null,
} satisfies Record<string, Sampler>;
type TypeName = keyof typeof samplers;

/**
 * Returns an instance that is valid for the schema, unless the smallest one is very large.
 * It is always the same, and its texts are marked as simulated.
 */
export function sampleSchema(schema: unknown): unknown {
  return isSchema(schema)
    ? sample(schema, { work: { root: schema, steps: 0 }, depth: 0, name: 'value' })
    : {};
}

function sample(node: Schema, position: Position): unknown {
  const { work, depth } = position;
  if (depth > MAX_DEPTH || work.steps > MAX_STEPS) return null;
  const schema = resolveSchema(node, work);
  if ('const' in schema) return givenValue(schema.const, position);
  if (Array.isArray(schema.enum)) return givenValue(schema.enum[0] ?? null, position);
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return sampleBranch(schema, branches.filter(isSchema), position);
  return samplers[typeOf(schema)](schema, position);
}

/** Samples the first branch. Below the depth limit, prefers a branch that cannot recurse. */
function sampleBranch(schema: Schema, branches: Schema[], position: Position): unknown {
  const ending = branches.find((branch) => !('$ref' in branch) && typeOf(branch) !== 'object');
  const branch = position.depth >= OPTIONAL_DEPTH ? (ending ?? branches[0]) : branches[0];
  const { anyOf: _anyOf, oneOf: _oneOf, ...common } = schema;
  return sample(
    mergeSchemas([common, resolveSchema(branch ?? {}, position.work)]),
    below(position, position.name),
  );
}

/** Returns the type of a schema: the first in a list that is not null. Google writes types in capitals. */
function typeOf(schema: Schema): TypeName {
  const types = [schema.type]
    .flat()
    .map((name) => (typeof name === 'string' ? name.slice(0, MAX_TYPE).toLowerCase() : ''))
    .filter(isTypeName);
  const type = types.find((name) => name !== 'null') ?? types[0];
  if (type) return type;
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('pattern' in schema || 'minLength' in schema || 'format' in schema) return 'string';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return 'object';
}

const isTypeName = (name: string): name is TypeName => Object.hasOwn(samplers, name);

const below = (position: Position, name: string): Position => ({
  ...position,
  depth: position.depth + 1,
  name,
});

function sampleObject(schema: Schema, position: Position): unknown {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = new Set(textsOf(schema.required) ?? []);
  const names = new Set([...Object.keys(properties), ...required]);
  // `__proto__` can be a name too.
  const instance: Schema = Object.create(null);
  for (const name of names) {
    countText(name, position.work);
    if (!required.has(name) && position.depth >= OPTIONAL_DEPTH) continue;
    const property = lookUp(properties, name);
    instance[name] = sample(isSchema(property) ? property : { type: 'string' }, below(position, name));
  }
  return { ...instance };
}

function sampleArray(schema: Schema, position: Position): unknown {
  const fixed = Array.isArray(schema.prefixItems) ? schema.prefixItems.filter(isSchema) : [];
  const minItems = numberAt(schema, 'minItems') ?? 0;
  const maxItems = numberAt(schema, 'maxItems') ?? Infinity;
  const wanted = Math.max(position.depth >= OPTIONAL_DEPTH ? 0 : 1, fixed.length);
  const remainingSteps = Math.max(0, MAX_STEPS - position.work.steps);
  const length = Math.min(remainingSteps, Math.max(minItems, Math.min(maxItems, wanted)));
  const item = isSchema(schema.items) ? schema.items : { type: 'string' };
  return Array.from({ length }, (_, index) =>
    distinct(sample(fixed[index] ?? item, below(position, position.name)), schema.uniqueItems ? index : 0),
  );
}

/** Makes an item differ from those before it. */
function distinct(value: unknown, index: number): unknown {
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value} ${index + 1}` : value;
}

function sampleString(schema: Schema, position: Position): unknown {
  const text = typeof schema.pattern === 'string' ? patternText(schema.pattern) : undefined;
  if (text !== undefined) return textOf(text, position);
  const format = lookUp(formats, String(schema.format));
  if (format) return format;
  const least = Math.min(MAX_LENGTH, numberAt(schema, 'minLength') ?? 0);
  const most = numberAt(schema, 'maxLength') ?? Infinity;
  return textOf(`simulated ${position.name}`.padEnd(least, '.').slice(0, most), position);
}

function textOf(text: string, position: Position): string {
  countText(text, position.work);
  return text;
}

/** Returns a value of the schema. It can be written many times. */
function givenValue(value: unknown, position: Position): unknown {
  if (typeof value === 'object' || typeof value === 'string')
    countText(JSON.stringify(value) ?? '', position.work);
  return value;
}

function patternText(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  try {
    return samplePattern(pattern, MAX_LENGTH);
  } catch {
    return undefined; // no text matches an invalid pattern
  }
}
