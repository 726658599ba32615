import { parseJson } from './parse-json.ts';
import type { Settings } from './settings.ts';

/** Returns the fault of the JSON schema of the answer, or undefined. */
export function schemaFault(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const parsed = parseJson(text);
  if ('fault' in parsed) return parsed.fault;
  const { value } = parsed;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? undefined
    : 'The schema must be an object.';
}

/** Returns the JSON schema of the answer. It is undefined if there is none, or if it is not valid. */
export const schemaOf = ({ schema }: Settings): Record<string, unknown> | undefined =>
  schema.trim() === '' || schemaFault(schema) ? undefined : JSON.parse(schema);
