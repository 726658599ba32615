import { isTooDeep } from '../../base/json/is-too-deep.ts';
import type { ToolInput } from '../canonical/part.ts';

type NamedTool = { namespace?: string; name: string };

/**
 * The name of a grouped tool on wires without groups. No vendor accepts a dot in a name.
 * Every vendor accepts two underscores.
 */
export const flatToolName = ({ namespace, name }: NamedTool): string =>
  namespace === undefined ? name : `${namespace}__${name}`;

/** The input schema of a freeform tool on wires that accept only JSON. */
export const freeformInputSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
} as const;

/**
 * Returns an input as the JSON object that these wires require. Other values, texts of freeform calls and
 * objects nested too deep to serialise become `{"input": …}`.
 */
export function objectInput({ kind, text }: ToolInput): string {
  if (kind === 'json' && text.trim() === '') return '{}';
  if (kind === 'json' && isJsonObject(text)) return text;
  return JSON.stringify({ input: text });
}

/**
 * Does the reverse for a freeform call.
 * Returns the text inside the object, or the whole text if the model did not follow the schema.
 */
export function freeformText(objectText: string): string {
  try {
    const { input } = JSON.parse(objectText) as { input?: unknown };
    return typeof input === 'string' ? input : objectText;
  } catch {
    return objectText;
  }
}

function isJsonObject(text: string): boolean {
  if (isTooDeep(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
