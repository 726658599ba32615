import type { TSchema } from 'typebox';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
export type Literal = string | number | boolean | null;

/** The subset of JSON Schema that the gateway's schemas use, as data to walk at run time. */
export type SchemaNode = {
  type?: JsonType | readonly JsonType[];
  const?: Literal;
  enum?: readonly Literal[];
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
  required?: readonly string[];
  additionalProperties?: boolean | SchemaNode;
  items?: SchemaNode;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: unknown;
  description?: string;
  /**
   * A keyword of the gateway's own: describes a pattern in words, for example "an id of letters, digits and
   * dashes".
   */
  expected?: string;
};

export const nodeOf = (schema: TSchema): SchemaNode => schema as SchemaNode;

/** Returns the literals that a schema allows, or undefined if it is not limited to literals. */
export function literalsOf(node: SchemaNode): readonly Literal[] | undefined {
  if (node.const !== undefined) return [node.const];
  return node.enum;
}

/** Reports whether a schema is limited to literals of which the value is one. */
export const hasLiteral = (node: SchemaNode, value: unknown): boolean =>
  literalsOf(node)?.some((literal) => literal === value) ?? false;

/**
 * Returns the branches of a union with nested unions flattened, or undefined if the schema is not a union.
 */
export function branchesOf(node: SchemaNode): readonly SchemaNode[] | undefined {
  // Inside `oneOf` a nested union is kept, because the number of matching branches matters there.
  return node.oneOf ?? node.anyOf?.flatMap((branch) => (branch.anyOf ? branchesOf(branch)! : [branch]));
}
