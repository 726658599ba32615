import type { TSchema } from 'typebox';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
export type Literal = string | number | boolean | null;

/** The part of JSON Schema that this project's schemas use, to be read at run time. */
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
  /** Our own keyword: what a pattern asks for, in words ("an id of letters, digits and dashes"). */
  expected?: string;
};

export const nodeOf = (schema: TSchema): SchemaNode => schema as SchemaNode;

/** The literals that a schema is limited to, if it is. */
export function literalsOf(node: SchemaNode): readonly Literal[] | undefined {
  if (node.const !== undefined) return [node.const];
  return node.enum;
}

/** The branches of a union with nested unions laid open; undefined when it is none. */
export function branchesOf(node: SchemaNode): readonly SchemaNode[] | undefined {
  // Inside `oneOf` a nested union stays whole, since there it matters how many branches fit.
  return node.oneOf ?? node.anyOf?.flatMap((branch) => (branch.anyOf ? branchesOf(branch)! : [branch]));
}
