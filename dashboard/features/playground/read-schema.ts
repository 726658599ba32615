import { isObject } from '../../../src/base/lib/is-object.ts';
import { parseJson } from './parse-json.ts';

/** A schema that is undefined asks for no form of the answer. */
type ReadSchema = { schema: Record<string, unknown> | undefined } | { fault: string };

/** Reads the text of a JSON schema, which may be empty. */
export function readSchema(text: string): ReadSchema {
  if (text.trim() === '') return { schema: undefined };
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed;
  return isObject(parsed.value) ? { schema: parsed.value } : { fault: 'The schema must be an object.' };
}
