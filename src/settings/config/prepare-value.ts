import { isObject } from '../../base/lib/is-object.ts';
import { lookUp } from '../../base/lib/records.ts';
import { formatPath } from '../../base/schema/format-path.ts';
import { couldBe } from '../../base/schema/json-type.ts';
import { branchesOf, literalsOf, type SchemaNode } from '../../base/schema/schema-node.ts';
import { readPlainScalar } from './read-plain-scalar.ts';

type Interpolated = ReadonlyMap<string, string>;
type Path = (string | number)[];

const branchesOrSelf = (node: SchemaNode): readonly SchemaNode[] => branchesOf(node) ?? [node];
const isText = (node: SchemaNode): boolean => node.type === 'string';
const takesText = (node: SchemaNode): boolean => branchesOrSelf(node).some(isText);
const takesNull = (node: SchemaNode): boolean => branchesOrSelf(node).some(({ type }) => type === 'null');
const isContainer = (node: SchemaNode): boolean => node.type === 'object' || node.type === 'array';

/** Reports whether an empty text means null. An empty variable unsets an optional text. */
const isEmptyForNull = (node: SchemaNode, value: unknown): boolean =>
  value === '' && takesNull(node) && takesText(node) && !branchesOrSelf(node).some(literalsOf);

/**
 * Converts an interpolated value to the type of its field: a key of digits stays text, a quoted `"${PORT}"`
 * becomes a number.
 */
function inWantedType(node: SchemaNode, value: unknown, text: string): unknown {
  if (!takesText(node)) return readPlainScalar(text);
  return branchesOrSelf(node).some((branch) => couldBe(branch, value)) ? value : text;
}

class Preparation {
  readonly #interpolated: Interpolated;
  readonly #path: Path = [];

  constructor(interpolated: Interpolated) {
    this.#interpolated = interpolated;
  }

  prepare(node: SchemaNode, value: unknown): unknown {
    const isLeftOut = value === undefined || (value === null && isContainer(node));
    if (isLeftOut && node.default !== undefined) return this.prepare(node, structuredClone(node.default));
    if (isEmptyForNull(node, value)) return null;
    const text = this.#interpolated.get(formatPath(this.#path));
    return text === undefined ? this.#within(node, value) : inWantedType(node, value, text);
  }

  #within(node: SchemaNode, value: unknown): unknown {
    const branch = branchesOrSelf(node).find((candidate) => couldBe(candidate, value));
    if (branch?.items && Array.isArray(value)) return this.#items(branch.items, value);
    return branch?.type === 'object' && isObject(value) ? this.#fields(branch, value) : value;
  }

  #items(node: SchemaNode, items: readonly unknown[]): unknown {
    return items.map((item, index) => this.#at(index, node, item));
  }

  #fields(node: SchemaNode, fields: Readonly<Record<string, unknown>>): unknown {
    const properties = node.properties ?? {};
    const free = Object.values(node.patternProperties ?? {})[0] ?? {};
    const present = Object.entries(fields).map(([name, value]) => {
      const field = lookUp(properties, name) ?? free;
      return [name, this.#at(name, field, value)];
    });
    const unset = Object.entries(properties).filter(
      ([name, field]) => !Object.hasOwn(fields, name) && field.default !== undefined,
    );
    const defaults = unset.map(([name, field]) => [name, this.#at(name, field, undefined)]);
    return Object.fromEntries([...present, ...defaults]);
  }

  #at(step: string | number, node: SchemaNode, value: unknown): unknown {
    this.#path.push(step);
    const prepared = this.prepare(node, value);
    this.#path.pop();
    return prepared;
  }
}

/**
 * Fills in defaults and converts values from the environment to the types of their fields. Invalid values
 * stay as they are. The schema check that follows reports them.
 */
export const prepareValue = (
  node: SchemaNode,
  value: unknown,
  interpolated: Interpolated = new Map(),
): unknown => new Preparation(interpolated).prepare(node, value);
