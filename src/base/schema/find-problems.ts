import type { TSchema } from 'typebox';
import { counted } from '../lib/counted.ts';
import { isObject } from '../lib/is-object.ts';
import { checkObject } from './check-object.ts';
import { checkNumber, checkString } from './check-scalar.ts';
import { checkUnion, mustBeOneOf } from './check-union.ts';
import { listed, typeNouns } from './describe-value.ts';
import { hasTypeOf, typesOf } from './json-type.ts';
import { ProblemSearch } from './problem-search.ts';
import { hasLiteral, literalsOf, nodeOf, type SchemaNode } from './schema-node.ts';
import type { SchemaProblem, SearchOptions } from './schema-problem.ts';

function checkArray(search: ProblemSearch, node: SchemaNode, items: readonly unknown[]): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  if (items.length < minItems) {
    search.report(
      minItems === 1 ? 'must not be empty' : `must have at least ${minItems} items, not ${items.length}`,
    );
  }
  if (items.length > maxItems)
    search.report(`must have at most ${counted(maxItems, 'item')}, not ${items.length}`);
  const itemNode = node.items;
  if (itemNode === undefined) return;
  for (let index = 0; index < items.length && !search.isOver; index++) {
    search.at(index, () => walk(search, itemNode, items[index]));
  }
}

function reportWrongType(search: ProblemSearch, node: SchemaNode, value: unknown): void {
  if (node.expected !== undefined && typesOf(node).includes('integer')) {
    search.reportValue(`must be ${node.expected}`, value);
    return;
  }
  const expected = `must be ${listed(typesOf(node).map((type) => typeNouns[type]))}`;
  // "must be an integer, not a number" would be confusing, so the message shows the value.
  if (typeof value === 'number' && typesOf(node).includes('integer')) search.reportValue(expected, value);
  else search.reportType(expected, value);
}

function walk(search: ProblemSearch, node: SchemaNode, value: unknown): void {
  const literals = literalsOf(node);
  if (node.anyOf ?? node.oneOf) checkUnion(search, node, value, walk);
  else if (literals !== undefined) {
    if (!hasLiteral(node, value)) search.reportValue(mustBeOneOf(literals), value);
  } else if (!hasTypeOf(node, value)) reportWrongType(search, node, value);
  else if (typeof value === 'string') checkString(search, node, value);
  else if (typeof value === 'number') checkNumber(search, node, value);
  else if (Array.isArray(value)) checkArray(search, node, value);
  else if (isObject(value)) checkObject(search, node, value, walk);
}

/**
 * Lists every problem of a value, in the order of its own members. A missing field comes after the members
 * that are present. Runs only after the compiled check has failed, because it is slower.
 *
 * @example
 * const schema = Type.Object({ n: Type.Integer() });
 * findProblems(schema, { n: 'x' }); // → [{ path: ['n'], message: 'must be an integer, not a string' }]
 */
export function findProblems(schema: TSchema, value: unknown, options: SearchOptions = {}): SchemaProblem[] {
  const search = new ProblemSearch(options);
  walk(search, nodeOf(schema), value);
  return search.problems;
}
