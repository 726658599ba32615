import type { TSchema } from 'typebox';
import { branchesOf, literalsOf, nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';

/** One field of a body, for example `messages[].role`. */
export type FieldRow = {
  path: string;
  type: string;
  required: boolean;
  description: string;
  /** The kinds of objects that the field takes, if there are several. */
  choices?: readonly FieldChoice[];
};

/** One kind of object. `label` distinguishes it from the others: `type: "text"`. */
export type FieldChoice = { label: string; rows: readonly FieldRow[] };

const MAX_DEPTH = 4;

/** Lists all fields of an object, nested ones included, in the schema's order. */
export const fieldRows = (schema: TSchema): FieldRow[] => rowsOf(nodeOf(schema), '', MAX_DEPTH);

function rowsOf(node: SchemaNode, prefix: string, depth: number): FieldRow[] {
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name;
    const required = node.required?.includes(name) ?? false;
    const row = { path, type: typeWords(field), required, description: descriptionOf(field) };
    if (depth === 1) return [row];
    const inside = objectsIn(field, path);
    if (inside.length < 2) return [row, ...inside.flatMap((one) => rowsOf(one.node, one.prefix, depth - 1))];
    return [{ ...row, choices: choicesOf(inside, depth - 1) }];
  });
}

type Inside = { node: SchemaNode; prefix: string };

/** Returns the objects that a value consists of, through unions and arrays. */
const objectsIn = (node: SchemaNode, path: string): Inside[] =>
  (branchesOf(node) ?? [node]).flatMap((branch) => [
    ...(branch.properties ? [{ node: branch, prefix: `${path}.` }] : []),
    ...(branch.items ? objectsIn(branch.items, `${path}[]`) : []),
  ]);

const choicesOf = (objects: readonly Inside[], depth: number): FieldChoice[] =>
  objects.map(({ node, prefix }) => ({
    label: labelOf(
      node,
      objects.map((one) => one.node),
    ),
    rows: rowsOf(node, prefix, depth),
  }));

/**
 * Names an object by a field whose literals differ between the alternatives, or else by
 * a field that only it requires.
 */
function labelOf(node: SchemaNode, all: readonly SchemaNode[]): string {
  const literalsIn = (one: SchemaNode, name: string) => {
    const field = one.properties?.[name];
    return (
      field &&
      literalsOf(field)
        ?.map((literal) => JSON.stringify(literal))
        .join(' or ')
    );
  };
  const others = all.filter((one) => one !== node);
  for (const name of Object.keys(node.properties ?? {})) {
    const own = literalsIn(node, name);
    if (own !== undefined && others.every((one) => literalsIn(one, name) !== own)) return `${name}: ${own}`;
  }
  const own = node.required?.find((name) => others.every((one) => !one.required?.includes(name)));
  return own === undefined ? 'otherwise' : `with ${own}`;
}

const descriptionOf = (node: SchemaNode): string =>
  node.description || (branchesOf(node) ?? []).find(({ description }) => description)?.description || '';

const number = (value: number): string => value.toLocaleString('en-US');

/** Formats a range: "1–128", "at least 1", "at most 20". */
function range(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return `${number(low)}–${number(high)}`;
  if (low !== undefined) return `at least ${number(low)}`;
  return high === undefined ? '' : `at most ${number(high)}`;
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(', ');

function arrayWords({ items, minItems, maxItems }: SchemaNode): string {
  const size = range(minItems, maxItems);
  return joined(items ? `array of ${plural(typeWords(items))}` : 'array', size && `${size} items`);
}

const plural = (words: string): string =>
  /^(string|number|integer|boolean|object)$/.test(words) ? `${words}s` : words;

function textWords({ expected, minLength, maxLength }: SchemaNode): string {
  const size = range(maxLength && minLength, maxLength);
  return joined('string', expected ?? '', size && `${size} characters`);
}

/** Describes a type in words: "integer, 1–128", "array of strings", "string or null". */
export function typeWords(node: SchemaNode): string {
  const literals = literalsOf(node);
  if (literals) return literals.map((literal) => JSON.stringify(literal)).join(' or ');
  const branches = branchesOf(node);
  if (branches) return [...new Set(branches.map(typeWords))].join(' or ');
  if (node.type === 'array') return arrayWords(node);
  if (node.type === 'string') return textWords(node);
  const least =
    node.exclusiveMinimum === undefined
      ? range(node.minimum, node.maximum)
      : `over ${number(node.exclusiveMinimum)}`;
  return joined([node.type ?? 'any'].flat().join(' or '), least);
}
