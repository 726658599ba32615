import { isTooDeep } from '../../base/json/is-too-deep.ts';
import type { ToolInput } from '../canonical/part.ts';
import type { FreeformTool, FunctionTool, Tool } from '../canonical/request.ts';

type Named = { namespace?: string; name: string };

/** Tools of a group, for wires without groups: no vendor takes a dot in a name, every one takes this. */
export const flatToolName = ({ namespace, name }: Named): string =>
  namespace === undefined ? name : `${namespace}__${name}`;

/** The client's tool that a name on such a wire means: its group and kind are to be told to the client again. */
export const toolOfFlatName = (
  tools: readonly Tool[],
  flat: string,
): FunctionTool | FreeformTool | undefined =>
  tools.find(
    (tool): tool is FunctionTool | FreeformTool => tool.kind !== 'opaque' && flatToolName(tool) === flat,
  );

/** What a freeform tool takes on wires that know JSON only. */
export const freeformInputSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
} as const;

/**
 * An input as the JSON object that such wires ask for. What is no object becomes `{"input": …}`, and so do texts of freeform calls and
 * objects that are nested too deep to be written again.
 */
export function objectInput({ kind, text }: ToolInput): string {
  if (kind === 'json' && text.trim() === '') return '{}';
  if (kind === 'json' && isJsonObject(text)) return text;
  return JSON.stringify({ input: text });
}

/** The inverse for a freeform call: the text inside, or the whole where the model kept to no form. */
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
