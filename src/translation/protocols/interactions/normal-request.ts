import { type JsonBody, type JsonObject, knownBody } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { patchKnown, patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import { isEmptyObject } from '../../../base/lib/is-empty-object.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { mapValues } from '../../../base/lib/records.ts';
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
  const patch = { ...modelPatch(value), ...ceilingPatch(body), ...inputPatch(body) };
  if (isEmptyObject(patch)) return body;
  const changed = mapValues(patch, (member) => JSON.parse(member) as unknown);
  return knownBody(patchKnown(text, value, patch), { ...value, ...changed });
}

/** The texts of members that replace the client's own. */
type MemberTexts = Record<string, string>;

function modelPatch({ model }: JsonObject): MemberTexts {
  const name = textOf(model) ?? '';
  const bareName = modelName(name);
  return bareName === name ? {} : { model: JSON.stringify(bareName) };
}

function ceilingPatch(body: JsonBody): MemberTexts {
  const { [CEILING]: ceiling } = objectOf(body.value.generation_config);
  if (ceiling == null) return {};
  const config = patchPart(memberText(body, 'generation_config'), { [CEILING]: null });
  return { [CEILING]: JSON.stringify(ceiling), generation_config: config };
}

function inputPatch(body: JsonBody): MemberTexts {
  const input = normalInput(body);
  return input === undefined ? {} : { input };
}

/** Returns the text of the input's steps, or undefined if the input is a text, or has steps alone. */
function normalInput(body: JsonBody): string | undefined {
  const { input } = body.value;
  if (isObject(input)) return jsonList([userStep([memberText(body, 'input')])]);
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
  return jsonList(steps);
}

const userStep = (contents: readonly string[]): string =>
  `{"type":"user_input","content":${jsonList(contents)}}`;
