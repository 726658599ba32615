import type { TSchema } from 'typebox';
import { lookUp } from '../../base/lib/records.ts';
import { nodeOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import { unitOf } from './unit-of.ts';

/** Adds the unit to problems of numbers, so that a reader need not know the field. */
export const withUnits = (schema: TSchema, problems: readonly SchemaProblem[]): SchemaProblem[] =>
  problems.map((problem) => {
    const node = nodeAt(nodeOf(schema), problem.path);
    const field = problem.path.findLast((step) => typeof step === 'string');
    const unit = node && branchesOf(node).some(isNumber) && unitOf(String(field));
    return unit ? { ...problem, message: `${problem.message}; ${unit}` } : problem;
  });

const isNumber = ({ type }: SchemaNode): boolean => type === 'number' || type === 'integer';

/** Returns the schema of a value by its path, or undefined if the schema has no such value. */
function nodeAt(root: SchemaNode, path: SchemaProblem['path']): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  for (const step of path) node = node && memberOf(node, step);
  return node;
}

/** Returns the schema of an item or a field in the first branch that has one. */
function memberOf(node: SchemaNode, step: string | number): SchemaNode | undefined {
  for (const branch of branchesOf(node)) {
    const freelyNamed = Object.values(branch.patternProperties ?? {})[0];
    const member =
      typeof step === 'number' ? branch.items : (lookUp(branch.properties ?? {}, step) ?? freelyNamed);
    if (member) return member;
  }
  return undefined;
}

const branchesOf = (node: SchemaNode): readonly SchemaNode[] =>
  (node.anyOf ?? node.oneOf)?.flatMap(branchesOf) ?? [node];
