import type { TSchema } from 'typebox';
import { branchesOf, nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { literalWords, typeWords } from './type-words.ts';

/** One field of a body, for example `messages[].role`. */
export type FieldRow = {
  path: string;
  type: string;
  required: boolean;
  description: string;
  /** The kinds of objects that the field takes, if there are several. */
  choices?: readonly FieldChoice[];
};

/** One kind of object. `label` distinguishes it from the other kinds: `type: "text"`. */
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
    const objects = objectsIn(field, path);
    if (objects.length > 1) return [{ ...row, choices: choicesOf(objects, depth - 1) }];
    return [row, ...objects.flatMap((object) => rowsOf(object.node, object.prefix, depth - 1))];
  });
}

/** The schema of an object inside a field. `prefix` stands before the names of its own fields. */
type InnerObject = { node: SchemaNode; prefix: string };

/** Returns the objects that a value consists of, through unions and arrays. */
const objectsIn = (node: SchemaNode, path: string): InnerObject[] =>
  (branchesOf(node) ?? [node]).flatMap((branch) => [
    ...(branch.properties ? [{ node: branch, prefix: `${path}.` }] : []),
    ...(branch.items ? objectsIn(branch.items, `${path}[]`) : []),
  ]);

function choicesOf(objects: readonly InnerObject[], depth: number): FieldChoice[] {
  const nodes = objects.map(({ node }) => node);
  return objects.map(({ node, prefix }) => ({
    label: labelOf(
      node,
      nodes.filter((sibling) => sibling !== node),
    ),
    rows: rowsOf(node, prefix, depth),
  }));
}

/** Names an object by a field whose literals no sibling has, or else by a field that no sibling requires. */
function labelOf(node: SchemaNode, siblings: readonly SchemaNode[]): string {
  const literals = Object.entries(node.properties ?? {}).map(
    ([name, field]) => [name, literalWords(field)] as const,
  );
  const distinct = literals.find(
    ([name, words]) =>
      words !== undefined && siblings.every((sibling) => literalsAt(sibling, name) !== words),
  );
  if (distinct) return distinct.join(': ');
  const required = node.required?.find((name) =>
    siblings.every((sibling) => !sibling.required?.includes(name)),
  );
  return required === undefined ? 'otherwise' : `with ${required}`;
}

function literalsAt({ properties }: SchemaNode, name: string): string | undefined {
  const field = properties?.[name];
  return field && literalWords(field);
}

const descriptionOf = (node: SchemaNode): string =>
  node.description || (branchesOf(node) ?? []).find(({ description }) => description)?.description || '';
