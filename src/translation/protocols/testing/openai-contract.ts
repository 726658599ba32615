import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';

const path = join(import.meta.dir, '../../../../../shared/contracts/openai.openapi.json');

export const haveContract = existsSync(path);

if (!haveContract)
  console.warn('The published API description is not here: answers are not checked against it.');

type Schemas = Record<string, { properties?: { type?: { enum?: string[] } } }>;

const components = (
  haveContract ? withNull(JSON.parse(readFileSync(path, 'utf8')).components) : { schemas: {} }
) as { schemas: Schemas };

/** Some of the description is of an older kind, in which null is allowed beside the type. */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...schema } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNull(value)]),
  );
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

const compiled = new Map<string, ReturnType<typeof Compile>>();

/** What is wrong with a value by a schema of the published description; the empty list where nothing is, or where it is missing. */
export function contractProblems(schema: string, value: unknown): unknown[] {
  if (!haveContract) return [];
  const validator = compiled.get(schema) ?? Compile({ components, $ref: `#/components/schemas/${schema}` });
  compiled.set(schema, validator);
  return validator.Check(value) ? [] : [schema, ...validator.Errors(value)[1].slice(0, 5)];
}

/** The same for an event of a responses stream, whose schema is found by its type. */
export function eventProblems(event: { type: string }): unknown[] {
  if (!haveContract) return [];
  const name = Object.keys(components.schemas).find(
    (key) =>
      /^Response.*Event$/.test(key) && components.schemas[key]?.properties?.type?.enum?.includes(event.type),
  );
  return name === undefined ? [`no schema for ${event.type}`] : contractProblems(name, event);
}
