import { type JsonBody, type JsonObject, knownBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { patchKnown, patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import { isEmptyObject } from '../../../base/lib/is-empty-object.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { modelName } from '../google/model-name.ts';

/**
 * The member for the output ceiling.
 * The vendor has it in the configuration, where no other part of the gateway looks for it.
 */
export const CEILING = 'max_output_tokens';

const CONTENTS: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'document', 'video']);

/**
 * Returns the body in normal form. Contents become a step of the user's, the model loses its prefix, and the
 * output ceiling is a member of the body itself.
 */
export function normalRequest(body: JsonBody): JsonBody {
  const { text, value } = body;
  const model = textOf(value['model']);
  const { [CEILING]: ceiling, ...config } = objectOf(value['generation_config']);
  const input = normalInput(body);
  const named = model !== undefined && model !== modelName(model) ? modelName(model) : undefined;
  const edits: Record<string, Edit> = {
    ...(named !== undefined && { model: { value: named, text: JSON.stringify(named) } }),
    ...(ceiling != null && {
      [CEILING]: { value: ceiling, text: JSON.stringify(ceiling) },
      generation_config: {
        value: config,
        text: patchPart(memberText(body, 'generation_config'), { [CEILING]: null }),
      },
    }),
    ...(input !== undefined && { input: { value: JSON.parse(input) as unknown, text: input } }),
  };
  if (isEmptyObject(edits)) return body;
  const patch: Record<string, string> = {};
  const changed: JsonObject = { ...value };
  for (const [name, edit] of Object.entries(edits)) {
    patch[name] = edit.text;
    changed[name] = edit.value;
  }
  return knownBody(patchKnown(text, value, patch), changed);
}

/** A member that replaces the client's own, in the two forms of a body. */
type Edit = { value: unknown; text: string };

/** Returns the text of the input's steps, or undefined if the input is a text, or has steps alone. */
function normalInput(body: JsonBody): string | undefined {
  const { input } = body.value;
  if (isObject(input)) return `[${userStep([memberText(body, 'input')])}]`;
  const isContent = (item: unknown): boolean => CONTENTS.has(objectOf(item).type);
  const elements = listOf(input);
  if (!elements.some(isContent)) return undefined;
  const steps: string[] = [];
  let contents: string[] = [];
  const close = () => {
    if (contents.length > 0) steps.push(userStep(contents));
    contents = [];
  };
  for (const [index, text] of elementsOf(memberText(body, 'input')).entries()) {
    if (isContent(elements[index])) contents.push(text);
    else {
      close();
      steps.push(text);
    }
  }
  close();
  return `[${steps.join(',')}]`;
}

const userStep = (contents: readonly string[]): string =>
  `{"type":"user_input","content":[${contents.join(',')}]}`;
