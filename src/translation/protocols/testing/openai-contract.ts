import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { projectRoot, sharedRoot } from '../../../base/lib/testing/project-root.ts';

type Schemas = Record<string, { properties?: { type?: { enum?: string[] } } }>;

/** The schemas of an API description, by name. Both descriptions use the names of the published one. */
class Contract {
  readonly #compiled = new Map<string, ReturnType<typeof Compile>>();
  readonly #components: { schemas: Schemas };

  constructor(path: string) {
    this.#components = withNull(JSON.parse(readFileSync(path, 'utf8')).components) as { schemas: Schemas };
  }

  problems(schema: string, value: unknown): unknown[] {
    if (this.#components.schemas[schema] === undefined) return [`no schema ${schema}`];
    const validator =
      this.#compiled.get(schema) ??
      Compile({ components: this.#components, $ref: `#/components/schemas/${schema}` });
    this.#compiled.set(schema, validator);
    return validator.Check(value) ? [] : [schema, ...validator.Errors(value)[1].slice(0, 5)];
  }

  /** Returns the schema name of a responses stream event, by its type. */
  eventSchema(type: string): string | undefined {
    return Object.entries(this.#components.schemas).find(
      ([name, { properties }]) => /^Response.*Event$/.test(name) && properties?.type?.enum?.includes(type),
    )?.[0];
  }
}

/** Converts `nullable`, an older notation in parts of the published description, to a union with null. */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...schema } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNull(value)]),
  );
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

const published = join(sharedRoot, 'contracts', 'openai.openapi.json');

/** The gateway's own contract, and the published description if this machine has it. */
const contracts = [
  join(projectRoot, 'test', 'fixtures', 'schemas', 'openai.json'),
  ...(existsSync(published) ? [published] : []),
].map((path) => new Contract(path));

/** Returns the violations of the named schema in each description. */
export const contractProblems = (schema: string, value: unknown): unknown[] =>
  contracts.flatMap((contract) => contract.problems(schema, value));

/** Returns the violations of the schema of a responses stream event, which is found by its type. */
export const eventProblems = (event: { type: string }): unknown[] =>
  contracts.flatMap((contract) => {
    const schema = contract.eventSchema(event.type);
    return schema === undefined ? [`no schema for ${event.type}`] : contract.problems(schema, event);
  });
