import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';

const path = join(import.meta.dir, '../../../../../shared/contracts/openai.openapi.json');
const components = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).components : undefined;
if (components === undefined)
  console.warn('no published API description: answers are not checked against it');

/** The description is of an older kind, in which null is allowed beside the type. */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...schema } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNull(value)]),
  );
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

const validatorOf = (name: string) =>
  components && Compile({ components: withNull(components) as object, $ref: `#/components/schemas/${name}` });

const completion = validatorOf('CreateChatCompletionResponse');
const chunk = validatorOf('CreateChatCompletionStreamResponse');

const problems = (validator: typeof completion, value: unknown): unknown[] =>
  validator === undefined || validator.Check(value) ? [] : validator.Errors(value)[1];

/** What is wrong with an answer by the published description. */
export const completionProblems = (value: unknown): unknown[] => problems(completion, value);
export const chunkProblems = (value: unknown): unknown[] => problems(chunk, value);
