import { isTooDeep } from '../../base/json/is-too-deep.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { ToolInput } from '../canonical/part.ts';

type NamedTool = { namespace?: string; name: string };

/**
 * Returns the name of a grouped tool on wires without groups. No vendor accepts a dot in a name, and every
 * vendor accepts two underscores.
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
 * Returns an input as the JSON object that wires without freeform tools require. Other values, texts of
 * freeform calls and objects nested too deep to serialise become `{"input": …}`.
 */
export function objectInput({ kind, text }: ToolInput): string {
  if (kind === 'json' && text.trim() === '') return '{}';
  if (kind === 'json' && isJsonObject(text)) return text;
  return JSON.stringify({ input: text });
}

/**
 * Returns the text inside the JSON object that stands for the input of a freeform call. Returns the whole
 * text if the model did not follow the schema.
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
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
