import type { Json } from './call.ts';

/** A value at an edge of a schema, and the rule that it keeps or breaks. */
export type Edge = { path: readonly string[]; value: Json; rule: string; isAllowed: boolean };

/** Returns a component of the document that a schema refers to, or the schema itself. */
export type Resolve = (schema: Json) => Json;

const LONG_TEXT = 'x'.repeat(2_000);
/** A value of each JSON type. */
const samples: Record<string, Json> = {
  string: 'text',
  number: 1.5,
  integer: 1,
  boolean: true,
  null: null,
  array: [],
  object: {},
};

const allowed = (rule: string, value: Json) => ({ rule, value, isAllowed: true });
const refused = (rule: string, value: Json) => ({ rule, value, isAllowed: false });
type Local = Omit<Edge, 'path'>;

function edgesOfNumber({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Json): Local[] {
  const lowest = exclusiveMinimum ?? minimum;
  const highest = exclusiveMaximum ?? maximum;
  return [
    ...(minimum === undefined ? [] : [allowed('minimum', minimum)]),
    ...(maximum === undefined ? [] : [allowed('maximum', maximum)]),
    ...(exclusiveMinimum === undefined ? [] : [refused('exclusiveMinimum', exclusiveMinimum)]),
    ...(exclusiveMaximum === undefined ? [] : [refused('exclusiveMaximum', exclusiveMaximum)]),
    ...(lowest === undefined ? [allowed('no minimum', -1e6)] : [refused('minimum', lowest - 1)]),
    ...(highest === undefined ? [allowed('no maximum', 1e6)] : [refused('maximum', highest * 2 + 2)]),
    ...(type === 'integer' ? [refused('integer', (lowest ?? 0) + 0.5)] : []),
  ];
}

function edgesOfText({ minLength = 0, maxLength, pattern, format }: Json): Local[] {
  const isFree = pattern === undefined && format === undefined;
  return [
    ...(isFree ? [allowed('minLength', 'x'.repeat(minLength))] : []),
    ...(isFree && (maxLength ?? 9) > 8 ? [allowed('no pattern', 'a\u0007\n é😀')] : []),
    ...(isFree && maxLength === undefined ? [allowed('no maxLength', LONG_TEXT)] : []),
    ...(isFree && maxLength !== undefined ? [allowed('maxLength', 'x'.repeat(maxLength))] : []),
    ...(maxLength === undefined ? [] : [refused('maxLength', 'x'.repeat(maxLength + 1))]),
    ...(minLength > 0 ? [refused('minLength', 'x'.repeat(minLength - 1))] : []),
    ...(pattern === undefined ? [] : [refused('pattern', '\u0000')]),
  ];
}

function edgesOfList({ minItems = 0, maxItems, items }: Json, resolve: Resolve): Local[] {
  const item = sampleOf(items ?? {}, resolve);
  const many = (count: number) => Array.from({ length: count }, () => item);
  return [
    ...(minItems === 0 ? [allowed('no minItems', [])] : [refused('minItems', many(minItems - 1))]),
    ...(maxItems === undefined ? [] : [refused('maxItems', many(maxItems + 1))]),
  ];
}

const typesOf = ({ type = [] }: Json): string[] => (Array.isArray(type) ? type : [type]);

function edgesOfBranch(branch: Json, resolve: Resolve): Local[] {
  const types = typesOf(branch);
  if (branch.const !== undefined) return [allowed('const', branch.const)];
  if (branch.enum) return branch.enum.map((value: Json) => allowed('enum', value));
  return [
    ...(types.includes('boolean') ? [allowed('boolean', true), allowed('boolean', false)] : []),
    ...(types.includes('null') ? [allowed('null', null)] : []),
    ...(types.includes('number') || types.includes('integer') ? edgesOfNumber(branch) : []),
    ...(types.includes('string') ? edgesOfText(branch) : []),
    ...(types.includes('array') ? edgesOfList(branch, resolve) : []),
  ];
}

/** Returns the branches of a schema with nested unions flattened. */
function branchesOf(schema: Json, resolve: Resolve): Json[] {
  const { anyOf, oneOf, ...rest } = resolve(schema);
  const union = anyOf ?? oneOf;
  return union ? union.flatMap((branch: Json) => branchesOf(branch, resolve)) : [rest];
}

/** The wrong types of a value, and a wrong word where only some are allowed. */
function edgesOfType(branches: readonly Json[]): Local[] {
  if (branches.some((branch) => !branch.type && !branch.enum && branch.const === undefined)) return [];
  const literals = branches.flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
  const known = new Set([
    ...branches.flatMap(typesOf),
    ...literals.map((value: Json) => (value === null ? 'null' : typeof value)),
  ]);
  if (known.has('number')) known.add('integer');
  if (known.has('integer')) known.add('number');
  const wrong = Object.keys(samples).filter((type) => !known.has(type));
  const hasFreeText = branches.some((one) => typesOf(one).includes('string') && !one.enum && !one.const);
  return [
    ...wrong.map((type) => refused(`not ${type}`, samples[type])),
    ...(literals.length > 0 && !hasFreeText ? [refused('enum', 'no-such-word')] : []),
  ];
}

/** Makes a value that a schema allows. Objects have their required members. */
export function sampleOf(schema: Json, resolve: Resolve): Json {
  const branch = branchesOf(schema, resolve)[0];
  if (branch.const !== undefined) return branch.const;
  if (branch.enum) return branch.enum[0];
  const [type] = typesOf(branch);
  if (type === 'object') {
    const { required = [], properties = {} } = branch;
    return Object.fromEntries(required.map((name: string) => [name, sampleOf(properties[name], resolve)]));
  }
  if (type === 'array')
    return Array.from({ length: branch.minItems ?? 0 }, () => sampleOf(branch.items, resolve));
  if (type === 'string') return 'x'.repeat(branch.minLength ?? 0) || 'x';
  if (type === 'number' || type === 'integer') return branch.minimum ?? 1;
  return samples[type ?? 'string'];
}

/**
 * Yields the edges of a schema and of the members of its objects, whose values `base` has or a sample
 * replaces.
 */
export function* edgesOf(schema: Json, resolve: Resolve, path: readonly string[] = []): Generator<Edge> {
  const branches = branchesOf(schema, resolve);
  const inner = branches.length > 1;
  for (const branch of branches) {
    // A number beyond one branch can be in another, so only unions with null have refused edges.
    const isOnly = branches.filter((one) => !typesOf(one).includes('null')).length === 1;
    for (const edge of edgesOfBranch(branch, resolve)) if (edge.isAllowed || isOnly) yield { path, ...edge };
    if (typesOf(branch).includes('object') && branch.properties && (!inner || isOnly))
      yield* edgesOfMembers(branch, resolve, path);
  }
  for (const edge of edgesOfType(branches)) yield { path, ...edge };
}

function* edgesOfMembers(
  { properties, required = [], additionalProperties }: Json,
  resolve: Resolve,
  path: readonly string[],
): Generator<Edge> {
  for (const name of required) yield { path: [...path, name], ...refused('required', undefined) };
  if (additionalProperties === false)
    yield { path: [...path, 'no_such_member'], ...refused('additionalProperties', 1) };
  for (const [name, member] of Object.entries(properties)) yield* edgesOf(member, resolve, [...path, name]);
}

/**
 * Returns a copy of `base` with a value at the path. Missing objects on the way are samples of their schemas.
 */
export function withValue(base: Json, schema: Json, resolve: Resolve, { path, value }: Edge): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const node = branchesOf(schema, resolve).find((branch) => branch.properties);
  const at = base ?? sampleOf(node, resolve);
  const member = node.properties[name] ?? {};
  const inner = withValue(at[name], member, resolve, { path: rest, value, rule: '', isAllowed: true });
  return { ...at, [name]: inner };
}
