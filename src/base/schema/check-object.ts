import { lookUp } from '../lib/records.ts';
import type { Walk } from './check-union.ts';
import { listed } from './describe-value.ts';
import type { Fields } from './json-type.ts';
import { nearestName } from './nearest-name.ts';
import { printable } from './printable.ts';
import type { ProblemSearch } from './problem-search.ts';
import type { SchemaNode } from './schema-node.ts';

/** A message about an unknown field lists the known fields if there are at most this many. */
const FEW = 8;

function unknownField(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `is not a known field; did you mean '${printable(nearest)}'?`;
  if (names.length === 0 || names.length > FEW) return 'is not a known field';
  return `is not a known field; known ${names.length === 1 ? 'is' : 'are'} ${listed(names, 'and')}`;
}

/** Returns the schema of a field, or `false` if the object must not have it. */
function fieldNode(node: SchemaNode, name: string): SchemaNode | boolean {
  const { properties = {}, patternProperties = {}, additionalProperties = true } = node;
  const property = lookUp(properties, name);
  if (property !== undefined) return property;
  for (const [pattern, field] of Object.entries(patternProperties)) {
    if (new RegExp(pattern, 'u').test(name)) return field;
  }
  return additionalProperties;
}

/** Reports whether an optional field has the value undefined, which counts as absent. */
const isLeftOut = (node: SchemaNode, name: string, value: unknown): boolean =>
  value === undefined && Object.hasOwn(node.properties ?? {}, name) && !node.required?.includes(name);

/** Reports unknown and missing fields, and checks the values of the others with `walk`. */
export function checkObject(search: ProblemSearch, node: SchemaNode, fields: Fields, walk: Walk): void {
  for (const [name, value] of Object.entries(fields)) {
    if (search.isOver) return;
    const field = fieldNode(node, name);
    if (field === true || isLeftOut(node, name, value)) continue;
    search.at(name, () => {
      if (field === false) search.report(unknownField(name, Object.keys(node.properties ?? {})));
      else walk(search, field, value);
    });
  }
  for (const name of node.required ?? []) {
    if (!Object.hasOwn(fields, name)) search.at(name, () => search.report('is required'));
  }
}
