import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import { type BodyCheck, checkBody } from '../check-body.ts';
import { contentMembers } from './content-members.ts';
import { choiceOf } from './decode-tools.ts';
import { FUNCTION_NAME } from './request-schema.ts';

const checks: readonly BodyCheck[] = [
  ({ background, store }) =>
    background === true && store === false
      ? invalidParam('store', 'must not be false, since an interaction in the background is stored')
      : undefined,
  ({ input, continuation_token }) =>
    input == null && continuation_token == null ? invalidParam('input', 'is required') : undefined,
  ({ input }) => refuseSteps(listOf(input)),
  ({ tools }) => refuseTools(listOf(tools)),
  refuseChoice,
];

/** The members that a step must have. */
const required: Readonly<Record<string, readonly string[]>> = {
  function_call: ['id', 'name'],
  function_result: ['call_id', 'result'],
};

const CHOICE = 'generation_config.tool_choice';

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'audio', 'document', 'video']);

function refuseSteps(steps: readonly unknown[]): Refusal | undefined {
  for (const [index, value] of steps.entries()) {
    const refusal = refuseStep(objectOf(value), `input[${index}]`);
    if (refusal) return refusal;
  }
  return undefined;
}

function refuseStep(step: JsonObject, path: string): Refusal | undefined {
  const missing = lookUp(required, String(step.type))?.find((name) => step[name] == null);
  if (missing !== undefined) return invalidParam(`${path}.${missing}`, 'is required');
  const member = lookUp(contentMembers, String(step.type));
  return member && refuseContents(listOf(step[member]), `${path}.${member}`);
}

function refuseContents(contents: readonly unknown[], path: string): Refusal | undefined {
  for (const [index, content] of contents.entries()) {
    const missing = missingMember(objectOf(content));
    if (missing !== undefined) return invalidParam(`${path}[${index}].${missing}`, 'is required');
  }
  return undefined;
}

function missingMember({ type, text, data, uri, mime_type }: JsonObject): string | undefined {
  if (type === 'text' && typeof text !== 'string') return 'text';
  if (!MEDIA.has(type)) return undefined;
  if (!data && !uri) return 'data';
  return data && !mime_type ? 'mime_type' : undefined;
}

function refuseTools(tools: readonly unknown[]): Refusal | undefined {
  const names = new Set<string>();
  for (const [index, tool] of tools.map(objectOf).entries()) {
    if (tool.type !== 'function') continue;
    const name = textOf(tool.name) ?? '';
    const param = `tools[${index}].name`;
    if (!FUNCTION_NAME.test(name))
      return invalidParam(param, 'must be at most 128 letters, digits, dashes, dots, colons and underscores');
    if (names.has(name)) return invalidParam(param, 'is already the name of another function');
    names.add(name);
  }
  return undefined;
}

function refuseChoice(body: JsonObject): Refusal | undefined {
  const names = new Set(listOf(body.tools).map((tool) => textOf(objectOf(tool).name)));
  const { mode, allowed } = choiceOf(body);
  const unknownIndex = allowed.findIndex((name) => !names.has(name));
  if (unknownIndex >= 0)
    return invalidParam(
      `${CHOICE}.allowed_tools.tools[${unknownIndex}]`,
      'is not the name of a function in this request',
    );
  return mode === 'any' && listOf(body.tools).length === 0
    ? invalidParam(CHOICE, 'requires a call, but the request has no functions')
    : undefined;
}

/** Returns the refusal for a body that is invalid at every target. */
export function checkRequest(body: JsonObject, validate: Validator): Refusal | undefined {
  const { agent, model } = body;
  if (agent != null && model == null) return refuseAgent();
  if (typeof model !== 'string' || model === '') return invalidParam('model', 'is required');
  return checkBody(body, validate, checks);
}

/** The vendor's agents have no model of the catalog, so no provider can get such a request. */
const refuseAgent = (): Refusal =>
  unqualifiedParam('agent', 'the gateway has models and no agents; name a model instead');
